/** Tools of one server; no model can choose among more. */
export const MAX_TOOLS = 256;
/** Longest parameters of a tool, as JSON. */
export const MAX_PARAMETERS = 60_000;
