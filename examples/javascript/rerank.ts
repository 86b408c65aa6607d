// Texts in the order of how well they answer a question. It wants a model that reranks; one alone need not be named.
//   STUDIO_URL=http://127.0.0.1:8080 STUDIO_API_KEY=… node examples/javascript/rerank.ts
const documents = ['점심은 12시입니다.', '연차 휴가는 15일입니다.', '출장비는 하루 5만원입니다.'];

const response = await fetch(`${process.env.STUDIO_URL}/v1/rerank`, {
  method: 'POST',
  headers: { Authorization: `Bearer ${process.env.STUDIO_API_KEY}`, 'Content-Type': 'application/json' },
  body: JSON.stringify({ query: '연차는 며칠인가요?', documents, top_n: 2 }),
});
const reply = (await response.json()) as {
  results: { index: number; relevance_score: number }[];
  error?: { message: string };
};
if (!response.ok) throw new Error(reply.error?.message);
for (const { index, relevance_score: score } of reply.results) console.log(score.toFixed(2), documents[index]);
