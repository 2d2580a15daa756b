// The learned mix of signals, if there is one.
// Parameters: none
// Columns:
//   form: INTEGER, version of its features
//   encoder: STRING, whose vectors it was fitted on
//   start: LIST<FLOAT>, how its two models begin, and how they are mixed
//   features: STRING, JSON of each tree's features, the one model's trees before the other's
//   thresholds: STRING, JSON of each tree's thresholds
//   values: STRING, JSON of each tree's leaves
//   fitted: STRING, JSON of what it was fitted on
MATCH (m:Meta {id: 'tool_mix'})
RETURN m.form AS form, m.encoder AS encoder, m.start AS start, m.features AS features, m.thresholds AS thresholds,
       m.values AS values, m.fitted AS fitted
