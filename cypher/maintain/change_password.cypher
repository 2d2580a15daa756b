// Replaces the password of the user who runs it; on the system database.
// Parameters:
//   $old: STRING, present password
//   $new: STRING, new password
// Columns: none
ALTER CURRENT USER SET PASSWORD FROM $old TO $new
