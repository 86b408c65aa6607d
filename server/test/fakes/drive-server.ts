import { createHash, generateKeyPairSync, verify } from 'node:crypto';
import { type CloudServer, startCloudServer } from './cloud-server.ts';

// Google Drive and its sign-in, as their documentation says (Drive API v3: files, changes, exports, permissions; OAuth 2.0 for server to server): pages have two
// entries. It was not recorded from the running service.

export interface FakeDriveFile {
  readonly id: string;
  name: string;
  mimeType: string;
  parent: string;
  content: string;
  /** Who may read it; left out where they can't be told. */
  readonly permissions?: readonly object[];
  /** Whether it lies in a shared drive: lists leave its permissions out. */
  readonly isShared?: boolean;
}

export interface FakeDrive extends CloudServer {
  readonly files: Map<string, FakeDriveFile>;
  put(file: FakeDriveFile): void;
  remove(id: string): void;
  /** Tokens of changes before this one are not known any more. */
  forgetBefore: number;
  /** The key file of an account that may read. */
  readonly keyFile: string;
}

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });

export async function startFakeDrive(): Promise<FakeDrive> {
  const files = new Map<string, FakeDriveFile>();
  const changes: string[] = [];
  let signIns = 0;
  const isOurs = (assertion: string) => {
    const [head = '', claims = '', signature = ''] = assertion.split('.');
    const { iss, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { iss: string; exp: number };
    const isSigned = verify(
      'RSA-SHA256',
      Buffer.from(`${head}.${claims}`),
      publicKey,
      Buffer.from(signature, 'base64url'),
    );
    return isSigned && iss === 'reader@x.iam.gserviceaccount.com' && exp * 1_000 > Date.now();
  };
  const described = (
    { id, name, mimeType, parent, content, permissions, isShared }: FakeDriveFile,
    fields: string,
  ) => ({
    id,
    name,
    mimeType,
    parents: [parent],
    trashed: false,
    ...(fields.includes('permissions(') && permissions !== undefined && isShared !== true ? { permissions } : {}),
    webViewLink: `https://drive.google.com/file/d/${id}`,
    modifiedTime: createHash('md5').update(content).digest('hex'),
    ...(mimeType.startsWith('application/vnd.google-apps.')
      ? {}
      : { md5Checksum: createHash('md5').update(content).digest('hex'), size: String(Buffer.byteLength(content)) }),
  });
  const server = await startCloudServer(
    ({ url, body, json, reply }, self) => {
      const { pathname, searchParams } = url;
      if (pathname === '/token') {
        const form = new URLSearchParams(body);
        const assertion = form.get('assertion');
        const isFine = assertion === null ? form.get('refresh_token') === 'r' : isOurs(assertion);
        if (!isFine) return json({ error: 'invalid_grant' }, 400);
        self.tokens.clear();
        const token = `t${++signIns}`;
        self.tokens.add(`Bearer ${token}`);
        return json({ token_type: 'Bearer', access_token: token, expires_in: 3_599 });
      }
      const path = pathname.replace('/drive/v3', '');
      const token = searchParams.get('pageToken');
      const fields = searchParams.get('fields') ?? '';
      const from = Number(token ?? 0);
      if (path === '/changes/startPageToken') return json({ startPageToken: String(changes.length) });
      if (path === '/changes') {
        if (from < made.forgetBefore) return json({ error: { message: 'Invalid pageToken' } }, 400);
        const to = Math.min(changes.length, from + 2);
        return json({
          changes: changes.slice(from, to).map((fileId) => {
            const file = files.get(fileId);
            return file === undefined
              ? { fileId, removed: true }
              : { fileId, removed: false, file: described(file, fields) };
          }),
          ...(to < changes.length ? { nextPageToken: String(to) } : { newStartPageToken: String(to) }),
        });
      }
      if (path === '/files') {
        const all = [...files.values()];
        return json({
          files: all.slice(from, from + 2).map((one) => described(one, fields)),
          ...(from + 2 < all.length ? { nextPageToken: String(from + 2) } : {}),
        });
      }
      const [, , id = '', action] = path.split('/');
      const file = files.get(id);
      if (file === undefined) return json({ error: { code: 404 } }, 404);
      if (action === 'export') return void reply.end(`${searchParams.get('mimeType')}: ${file.content}`);
      if (searchParams.get('alt') === 'media') return void reply.end(file.content);
      if (action === 'permissions') {
        const { permissions } = file;
        if (permissions === undefined)
          return json({ error: { errors: [{ reason: 'insufficientFilePermissions' }] } }, 403);
        const more = from + 1 < permissions.length ? { nextPageToken: String(from + 1) } : {};
        return json({ permissions: permissions.slice(from, from + 1), ...more });
      }
      json(described(file, fields));
    },
    (path) => path === '/token',
  );
  const made: FakeDrive = Object.assign(server, {
    files,
    forgetBefore: 0,
    keyFile: JSON.stringify({
      type: 'service_account',
      client_email: 'reader@x.iam.gserviceaccount.com',
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    }),
    put(file: FakeDriveFile) {
      files.set(file.id, file);
      changes.push(file.id);
    },
    remove(id: string) {
      files.delete(id);
      changes.push(id);
    },
  });
  return made;
}
