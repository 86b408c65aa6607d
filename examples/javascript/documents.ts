// A document is read: its blocks at once, then as Markdown in the background; and one is written.
//   STUDIO_URL=http://127.0.0.1:8080 STUDIO_API_KEY=… node examples/javascript/documents.ts
const authorization = `Bearer ${process.env.STUDIO_API_KEY}`;

interface Result {
  prediction: { all_pages: { classes: { class: string; contents: string }[] }[] };
  document_id: string;
  status: string;
  contents: string;
}

async function call(path: string, body?: FormData): Promise<Result> {
  const response = await fetch(`${process.env.STUDIO_URL}/v1/document/${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization },
    ...(body ? { body } : {}),
  });
  const { status, result } = (await response.json()) as { status: { message: string }; result: Result };
  if (!response.ok) throw new Error(status.message);
  return result;
}
const form = (fields: Record<string, string>) => {
  const parts = new FormData();
  for (const [name, value] of Object.entries(fields)) parts.set(name, value);
  parts.set('file', new Blob(['<h1>휴가</h1><p>연차 휴가는 15일이다.</p>']), '규정.html');
  return parts;
};

const { prediction } = await call('parse', form({}));
for (const page of prediction.all_pages)
  for (const block of page.classes) console.log(`${block.class}: ${block.contents}`);

const { document_id: id } = await call('parse/async', form({ response_format: 'markdown' }));
let read = await call(`${id}/content?response_format=markdown`);
while (read.status === 'RUNNING_INFERENCE') {
  await new Promise((resolve) => setTimeout(resolve, 200));
  read = await call(`${id}/content?response_format=markdown`);
}
console.log(read.status, JSON.stringify(read.contents));

// A text as a file of Hancom Office (한글), and what it says; with `format: 'docx'` as one of Word.
const written = await fetch(`${process.env.STUDIO_URL}/v1/document/render`, {
  method: 'POST',
  headers: { authorization, 'content-type': 'application/json' },
  body: JSON.stringify({ format: 'hwpx', title: '주간 보고', content: '1. 현황\n   1. 인원\n   2. 예산' }),
});
const parts = new FormData();
parts.set('response_format', 'text');
parts.set('file', await written.blob(), 'report.hwpx');
console.log('written:', JSON.stringify((await call('parse', parts)).contents));
