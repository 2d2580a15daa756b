// Stop the statement that carries a tag in its transaction's metadata.
// Parameters:
//   $tag: STRING, the tag
// Columns:
//   message: STRING, what the server says about each transaction that it was asked to stop
SHOW TRANSACTIONS YIELD transactionId AS found, metaData
WHERE metaData.graphstore = $tag
TERMINATE TRANSACTIONS found YIELD message
RETURN message
