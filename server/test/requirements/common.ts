import type { Requirements } from './entry.ts';

/** What holds at every public endpoint: paths, keys, tenants, ids, errors, limits. */
export const commonRequirements = {
  'common.prefix.v1': { source: 'decisions 1, Prefixes', text: 'Every public endpoint answers under /v1.' },
  'common.prefix.api-v1': {
    source: 'interface 4.1; decisions 1, Prefixes',
    text: 'The same endpoints answer under /api/v1 in the same way.',
  },
  'common.trailing-slash': {
    source: 'decisions 1, Prefixes',
    text: 'A path with a slash at its end is the same path.',
  },
  'common.path.unknown': { source: 'decisions 1, Error forms', text: 'An unknown path is a 404 in the error form.' },
  'common.method.wrong': {
    source: 'decisions 1 (HTTP)',
    text: 'A known path with a wrong method is a 405 with Allow, in the error form.',
  },
  'common.request-id.every-response': {
    source: 'decisions 1, Request id',
    text: 'Replies, streams, failures and health answers carry X-Request-Id.',
  },
  'common.request-id.distinct': { source: 'decisions 1, Request id', text: 'No two requests get the same request id.' },
  'common.request-id.log': {
    source: 'decisions 1, Request id',
    text: 'The log line of a request holds its request id.',
  },
  'common.times.iso': { source: 'decisions 1, Ids', text: 'Log and record times are ISO 8601 UTC with Z.' },

  'auth.missing': { source: 'interface 5.3', text: 'A request without Authorization is a 401.' },
  'auth.wrong-key': { source: 'interface 5.3', text: 'A key that was never issued is a 401.' },
  'auth.malformed': { source: 'interface 5.1', text: 'Another scheme, an empty key or a damaged key is a 401.' },
  'auth.scheme.case': { source: 'interface 5.1 (RFC 9110 11.1)', text: 'The word Bearer is taken in any case.' },
  'auth.every-endpoint': {
    source: 'interface 5.1',
    text: 'Chat, completions, models and embeddings all ask for a key, under both prefixes.',
  },
  'auth.only-header': {
    source: 'decisions 1, Key',
    text: 'A key in the query, in a cookie or in another header opens nothing.',
  },
  'auth.before-body': {
    source: 'interface 5.3',
    text: 'Without a valid key the body is not judged: a bad body is still a 401.',
  },
  'auth.key.shape': {
    source: 'decisions 7',
    text: 'A key is aist_, 43 base62 characters and 6 base62 characters of CRC-32.',
  },
  'auth.key.stored-as-hash': {
    source: 'decisions 7',
    text: 'The database holds the SHA-256 of a key and never its value.',
  },
  'auth.key.init': {
    source: 'decisions 7',
    text: 'STUDIO_INIT_API_KEY registers the given key while the tenant has none.',
  },
  'auth.key.init-only-first': {
    source: 'decisions 7',
    text: 'STUDIO_INIT_API_KEY is ignored once the tenant has a key.',
  },
  'auth.key.shown-once': {
    source: 'interface 5.4; decisions 7',
    text: 'The first key is printed at the first start and never again.',
  },
  'auth.key.deleted': {
    source: 'interface 3 and 5.5; decisions 7',
    text: 'A deleted key is refused from the moment its deletion answered.',
  },
  'auth.key.deleted-every-process': {
    source: 'decisions 7',
    text: 'With several worker processes each of them refuses a deleted key.',
  },
  'auth.key.issued-works': { source: 'interface 3', text: 'A newly issued key works at once, in a running service.' },
  'tenant.header.own': {
    source: 'decisions 1, Tenant',
    text: "X-Tenant-Id with the key's own tenant changes nothing.",
  },
  'tenant.header.other': { source: 'decisions 1, Tenant', text: "X-Tenant-Id that is not the key's tenant is a 403." },

  'fields.unknown.own': {
    source: 'decisions 1, Unknown fields',
    text: 'In the forms of rag42, documents and personal values a field that is nearly a known one is a 400 that names both.',
  },
  'fields.unknown.body': {
    source: 'decisions 1, Unknown fields',
    text: 'A body that has fields is a 400 in the forms of rag42, documents and personal values that take none.',
  },
  'fields.unknown.ignored': {
    source: 'decisions 1, Unknown fields',
    text: 'Other fields that are not known are ignored, and X-Ignored-Fields names them.',
  },

  'errors.form': {
    source: 'interface 2.1; decisions 1, Error forms',
    text: 'A failure is {"error":{message,type,param,code}} with just these keys.',
  },
  'errors.code.string': { source: 'interface 2.1', text: 'error.code is a string.' },
  'errors.400': {
    source: 'interface 7; decisions 1, Error forms',
    text: '400: code "400", type invalid_request_error.',
  },
  'errors.401': {
    source: 'interface 7; decisions 1, Error forms',
    text: '401: code "401", type authentication_error.',
  },
  'errors.403': { source: 'decisions 1, Error forms', text: '403: code "403", type permission_error.' },
  'errors.404': { source: 'decisions 1, Error forms', text: '404: code "404", type not_found_error.' },
  'errors.413': { source: 'decisions 1, Error forms', text: '413: code "413".' },
  'errors.415': { source: 'decisions 1, Error forms', text: '415: code "415".' },
  'errors.429': { source: 'decisions 1, Error forms', text: '429: code "429", type rate_limit_error.' },
  'errors.500': {
    source: 'interface 7; decisions 1, Error forms',
    text: 'A failure of the service or of a model server is 5xx with code "50000" (500), type server_error.',
  },
  'errors.503': { source: 'decisions 1, Error forms', text: '503: code "50300", type server_error.' },
  'errors.504': { source: 'decisions 1, Error forms', text: '504: code "50400", type server_error.' },
  'errors.param.path': { source: 'decisions 1, Error forms', text: 'param is a path such as messages[0].role.' },
  'errors.param.null': { source: 'interface 2.1', text: 'param is null where no field is to blame.' },
  'errors.message.helps': {
    source: 'decisions 1, Error forms',
    text: 'The message says what was wrong and what would be right.',
  },
  'errors.message.no-leak': {
    source: 'decisions 1, Error forms',
    text: 'No message holds a stack, an internal address or a secret of a model server.',
  },
  'errors.never-500': {
    source: 'decisions 1, Body limits',
    text: 'Nothing that a client sends is answered with a 500.',
  },
  'errors.content-type': { source: 'interface 7', text: 'Failures are application/json.' },

  'limits.headers': {
    source: 'interface 8; decisions 1, Rate limit',
    text: 'Authenticated responses carry X-RateLimit-Limit, -Remaining and -Reset, failures and streams too.',
  },
  'limits.headers.remaining': { source: 'interface 8', text: 'X-RateLimit-Remaining falls with each request.' },
  'limits.headers.reset': {
    source: 'decisions 1, Rate limit',
    text: 'X-RateLimit-Reset is whole seconds up to the length of the window.',
  },
  'limits.requests': { source: 'decisions 1, Rate limit', text: 'Requests past the limit a minute are 429.' },
  'limits.tokens': { source: 'decisions 1, Rate limit', text: 'Tokens past the limit a minute are 429.' },
  'limits.tokens.settled': {
    source: 'decisions 1, Rate limit',
    text: 'What was reserved and not used comes back when the call ends.',
  },
  'limits.retry-after': {
    source: 'decisions 1, Rate limit',
    text: 'A 429 carries Retry-After in whole seconds, 1 to 60.',
  },
  'limits.per-key': { source: 'decisions 1, Rate limit', text: "One key's limit does not touch another key." },
  'limits.default': {
    source: 'decisions 1, Rate limit',
    text: 'The configuration gives the limits of keys that have none of their own.',
  },
  'limits.every-endpoint': {
    source: 'decisions 1, Rate limit',
    text: 'Embeddings and the model list count as requests as chat does.',
  },
  'limits.body.json': { source: 'decisions 1, Body limits', text: 'A JSON body past 4 MiB is a 413.' },
  'limits.body.images': {
    source: 'decisions 1, Body limits',
    text: 'Where images are allowed the body may have up to 16 MiB, past it 413.',
  },
  'limits.body.configurable': {
    source: 'decisions 1, Body limits',
    text: 'Both body limits can be set in the configuration.',
  },
  'limits.body.chunked': {
    source: 'decisions 1, Body limits',
    text: 'A body without Content-Length is cut off at the same limit.',
  },
  'limits.content-type': {
    source: 'interface 5.2; decisions 1, Body limits',
    text: 'A Content-Type that is not application/json is a 415.',
  },
  'limits.content-type.charset': {
    source: 'interface 5.2',
    text: 'application/json with a charset parameter, in any case, is taken.',
  },
  'limits.malformed-json': {
    source: 'decisions 1, Body limits',
    text: 'A body that is not JSON, not an object, empty or not UTF-8 is a 400.',
  },
} as const satisfies Requirements;
