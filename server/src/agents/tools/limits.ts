/** Tools of one server; no model can choose among more. */
export const MOST_TOOLS = 256;
/** Longest parameters of a tool, as JSON. */
export const LONGEST_PARAMETERS = 60_000;
