type Logprobs = Record<string, unknown>;

/** Joins the token lists of two `logprobs` objects, for text that was held back over several pieces. */
export function mergeLogprobs(before: Logprobs | undefined, more: Logprobs): Logprobs {
  if (!before) return more;
  const joined: Logprobs = { ...before };
  for (const [key, value] of Object.entries(more)) {
    const first = joined[key];
    joined[key] =
      Array.isArray(first) && Array.isArray(value) ? [...(first as unknown[]), ...(value as unknown[])] : value;
  }
  return joined;
}
