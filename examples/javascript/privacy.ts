// Masks personal values before a text goes anywhere, and turns them back in what comes back.
//   STUDIO_URL=http://127.0.0.1:8080 STUDIO_API_KEY=… node examples/javascript/privacy.ts
const { STUDIO_URL, STUDIO_API_KEY } = process.env;

interface Result {
  masked_text: string;
  entities: { type: string; replacement: string }[];
  session_id: string;
  unmasked_text: string;
}

async function ask(path: string, body: object) {
  const response = await fetch(`${STUDIO_URL}/v1/text/${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${STUDIO_API_KEY}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { status, result } = (await response.json()) as { status: { message: string }; result: Result };
  if (!response.ok) throw new Error(status.message);
  return result;
}

const text = '홍길동 님, 010-1234-5678로 전화드리겠습니다.';
const masked = await ask('pii-mask', { text, pii_types: ['ALL'], reversible: true });
console.log('masked:', masked.masked_text);

const answer = `확인했습니다: ${masked.entities[1]?.replacement}`;
const { unmasked_text } = await ask('pii-unmask', { text: answer, session_id: masked.session_id });
console.log('unmasked:', unmasked_text);
