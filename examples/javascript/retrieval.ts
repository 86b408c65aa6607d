// A collection: a document is uploaded, taken in, and searched.
//   STUDIO_URL=http://127.0.0.1:8080 STUDIO_API_KEY=… node examples/javascript/retrieval.ts
const rag = `${process.env.STUDIO_URL}/v1/rag42`;
const authorization = `Bearer ${process.env.STUDIO_API_KEY}`;

interface Result {
  collection_id: string;
  document_id: string;
  state: string;
  chunk_count: number;
  hits: { title: string; content: string }[];
}

async function call(method: string, path: string, body?: object): Promise<Result> {
  const form = body instanceof FormData;
  const response = await fetch(`${rag}/${path}`, {
    method,
    headers: { authorization, ...(body && !form ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: form ? body : JSON.stringify(body) } : {}),
  });
  const { status, result } = (await response.json()) as { status: { code: string; message: string }; result: Result };
  if (status.code !== '20000') throw new Error(`${status.code}: ${status.message}`);
  return result;
}

const { collection_id } = await call('POST', 'collections', {
  collection_name: '사내 규정',
  ingest_config: { indexed_fields: ['department'] },
});

const form = new FormData();
form.set('metadata', JSON.stringify({ department: 'HR' }));
form.set('file', new Blob(['# 휴가\n\n연차 휴가는 15일이다.\n\n# 출장\n\n출장비는 하루 5만원이다.\n']), '규정.md');
let document = await call('POST', `collections/${collection_id}/documents/upload`, form);
while (document.state !== 'ready' && document.state !== 'failed') {
  await new Promise((resolve) => setTimeout(resolve, 200));
  document = await call('GET', `documents/${document.document_id}`);
}
console.log('document:', document.state, 'chunks:', document.chunk_count);

const { hits } = await call('POST', 'search', {
  collection_id,
  query: '연차는 며칠인가요?',
  filters: { department: 'HR' },
  top_k: 1,
});
for (const { title, content } of hits) console.log('found:', title, '/', content.split('\n').at(-1));
await call('DELETE', `collections/${collection_id}`);
