/** What names a conversation for routing: it may stand in a header as it is. */
const SESSION = /^[\x21-\x7e]{1,256}$/;

/** The name of a session that a caller gave; null where it gave none, or nothing that could be one. */
export const sessionName = (given: unknown): string | null =>
  typeof given === 'string' && SESSION.test(given) ? given : null;

/**
 * Headers in which callers name the session of a call, the first one first. Sources: the hash keys of vLLM Router
 * (vllm-project/router, src/policies/hash_key.rs), the routing key of SGLang Model Gateway (docs.sglang.ai, "Routing Policies").
 */
const SESSION_HEADERS = ['x-session-id', 'x-smg-routing-key'] as const;

/** The session that a request names in its headers; null where it names none. */
export function sessionOfHeaders(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): string | null {
  for (const name of SESSION_HEADERS) {
    const session = sessionName(headers[name]);
    if (session !== null) return session;
  }
  return null;
}
