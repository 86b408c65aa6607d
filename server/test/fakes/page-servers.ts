import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A page that reached a fake. */
export interface PageUpload {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly fields: Readonly<Record<string, string>>;
  readonly file: Uint8Array;
}

/** What a fake does with a page: the Markdown that it gives for it, or how it fails; null: it never answers. */
export type PageAnswer = string | { readonly status: number; readonly body: unknown } | null;

/** A fake of a server that reads pages: it checks what the real one checks, and reads nothing. */
export interface PageServer {
  readonly url: string;
  readonly uploads: readonly PageUpload[];
  answer(make: (upload: PageUpload, nth: number) => PageAnswer): void;
  close(): Promise<void>;
}

type Reply = readonly [status: number, body: unknown];

const PNG = '\x89PNG\r\n\x1a\n';
const missing = (field: string): Reply => [
  422,
  { detail: [{ type: 'missing', loc: ['body', field], msg: 'Field required', input: null }] },
];

/** Source: docling-serve, `ConvertDocumentsRequestOptions` and `ConvertDocumentResponse`. */
function docling(upload: PageUpload, markdown: string, apiKey: string | null): Reply {
  const { path, headers, fields, file } = upload;
  if (path !== '/v1/convert/file') return [404, { detail: 'Not Found' }];
  if (apiKey !== null && headers['x-api-key'] !== apiKey) return [401, { detail: 'Api key is required' }];
  if (file.length === 0) return missing('files');
  const known: Readonly<Record<string, readonly string[]>> = {
    from_formats: ['docx', 'pptx', 'html', 'image', 'pdf', 'asciidoc', 'md'],
    to_formats: ['md', 'json', 'html', 'text', 'doctags'],
    image_export_mode: ['placeholder', 'embedded', 'referenced'],
    do_picture_description: ['true', 'false'],
  };
  for (const [name, value] of Object.entries(fields))
    if (known[name]?.includes(value) === false)
      return [422, { detail: [{ type: 'enum', loc: ['body', name], msg: 'Input should be another', input: value }] }];
  const document = { filename: 'page.png', md_content: markdown, json_content: null, html_content: null };
  const isPicture = Buffer.from(file).toString('latin1', 0, 8) === PNG;
  if (!isPicture)
    return [200, { document: { ...document, md_content: '' }, status: 'failure', errors: [{ error_message: 'x' }] }];
  return [200, { document, status: 'success', errors: [], processing_time: 0.1, timings: {} }];
}

/** Source: MinerU, `mineru/cli/fast_api.py`. */
function mineru({ path, fields, file }: PageUpload, markdown: string): Reply {
  if (path !== '/file_parse') return [404, { detail: 'Not Found' }];
  if (file.length === 0) return missing('files');
  if (fields['return_md'] !== undefined && !/^(?:true|false|1|0)$/i.test(fields['return_md']))
    return [422, { detail: [{ type: 'bool_parsing', loc: ['body', 'return_md'] }] }];
  if (Buffer.from(file).toString('latin1', 0, 8) !== PNG) return [400, { error: 'Unsupported file type: txt' }];
  return [200, { backend: 'pipeline', version: '2.7.0', results: { page: { md_content: markdown } } }];
}

/** Starts a fake Docling Serve or MinerU. Close it at the end of the test. */
export async function startPageServer(
  kind: 'docling' | 'mineru',
  { apiKey = null }: { readonly apiKey?: string | null } = {},
): Promise<PageServer> {
  const uploads: PageUpload[] = [];
  let make: (upload: PageUpload, nth: number) => PageAnswer = () => '글';
  const server = createServer((request, response) => {
    const serve = async () => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      const form = await new Response(Buffer.concat(parts), {
        headers: { 'content-type': String(request.headers['content-type']) },
      }).formData();
      const file = form.get('files');
      const upload: PageUpload = {
        path: request.url ?? '',
        headers: request.headers,
        fields: Object.fromEntries(
          [...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
        ),
        file: file instanceof File ? new Uint8Array(await file.arrayBuffer()) : new Uint8Array(),
      };
      uploads.push(upload);
      const answer = make(upload, uploads.length);
      if (answer === null) return;
      const [status, body] =
        typeof answer === 'object'
          ? ([answer.status, answer.body] as const)
          : kind === 'docling'
            ? docling(upload, answer, apiKey)
            : mineru(upload, answer);
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      response.writeHead(status, { 'content-type': 'application/json' }).end(text);
    };
    serve().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    uploads,
    answer: (next) => void (make = next),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
