import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An OpenID Connect provider in this process, whose people say who they are by themselves. */
export interface OidcProvider {
  readonly issuer: string;
  /** Claims of the next ID token, beside those that the protocol asks for. */
  claims: Record<string, unknown>;
  /** An access token of these claims, beside those that say who signed it and until when; `null` leaves one of those out. */
  accessToken(claims: Record<string, unknown>, head?: Record<string, unknown>): string;
  /** The secret that it wants of its client. */
  readonly secret: string;
  /** The person agrees: the address that the browser is sent back to. Throws for a request that a provider would refuse. */
  agree(authorisationUrl: string): string;
  close(): Promise<void>;
}

interface Grant {
  readonly challenge: string;
  readonly nonce: string;
  readonly redirectUri: string;
}

const text = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

export async function openOidcProvider(clientId: string): Promise<OidcProvider> {
  const secret = randomBytes(12).toString('hex');
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const grants = new Map<string, Grant>();
  let issuer = '';
  let claims: Record<string, unknown> = {};

  const signed = (payload: Record<string, unknown>, head: Record<string, unknown> = {}) => {
    const now = Math.floor(Date.now() / 1000);
    const all = { iss: issuer, iat: now, exp: now + 60, ...payload };
    const told = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
    const body = `${text({ alg: 'RS256', kid: 'k', ...head })}.${text(told)}`;
    return `${body}.${sign('sha256', Buffer.from(body), privateKey).toString('base64url')}`;
  };
  const idToken = (nonce: string) => signed({ aud: clientId, nonce, ...claims });
  const token = (form: URLSearchParams, authorization: string | undefined): [number, object] => {
    // Both parts are form-encoded. Source: RFC 6749 section 2.3.1.
    const given = Buffer.from((authorization ?? '').replace('Basic ', ''), 'base64').toString();
    const client = given.split(':').map(decodeURIComponent).join(':');
    const grant = grants.get(form.get('code') ?? '');
    grants.delete(form.get('code') ?? '');
    const verifier = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (client !== `${clientId}:${secret}`) return [401, { error: 'invalid_client' }];
    if (grant?.challenge !== verifier || grant.redirectUri !== form.get('redirect_uri'))
      return [400, { error: 'invalid_grant' }];
    return [200, { access_token: 'a', token_type: 'Bearer', expires_in: 60, id_token: idToken(grant.nonce) }];
  };
  const server = createServer((req, res) => {
    const answer = (status: number, body: object) => {
      res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (req.url === '/.well-known/openid-configuration')
      return answer(200, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      });
    if (req.url === '/jwks')
      return answer(200, { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'RS256', use: 'sig' }] });
    if (req.url !== '/token') return answer(404, {});
    let form = '';
    req.on('data', (part: Buffer) => (form += part.toString()));
    req.on('end', () => answer(...token(new URLSearchParams(form), req.headers.authorization)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    issuer,
    secret,
    accessToken: signed,
    get claims() {
      return claims;
    },
    set claims(next) {
      claims = next;
    },
    agree(authorisationUrl) {
      const asked = new URL(authorisationUrl).searchParams;
      const need = (name: string) => {
        const value = asked.get(name);
        if (value === null) throw new Error(`${name} is missing`);
        return value;
      };
      if (need('client_id') !== clientId || need('code_challenge_method') !== 'S256') throw new Error('refused');
      const code = randomBytes(8).toString('hex');
      grants.set(code, { challenge: need('code_challenge'), nonce: need('nonce'), redirectUri: need('redirect_uri') });
      const back = new URL(need('redirect_uri'));
      back.search = new URLSearchParams({ code, state: need('state') }).toString();
      return back.href;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
