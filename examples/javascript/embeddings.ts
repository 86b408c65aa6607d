// Vectors of texts with the `openai` package: like texts have a larger product.
//   STUDIO_URL=http://127.0.0.1:8080 STUDIO_API_KEY=… node examples/javascript/embeddings.ts
import OpenAI from 'openai';

const client = new OpenAI({ baseURL: `${process.env.STUDIO_URL}/v1`, apiKey: process.env.STUDIO_API_KEY });

const { data } = await client.embeddings.create({
  model: 'builtin-lexical',
  input: ['연차 휴가 신청 방법', '휴가를 신청하는 방법은?', 'The price of copper'],
});
const product = (a: number[], b: number[]) => a.reduce((sum, x, i) => sum + x * b[i]!, 0);
const [a, b, c] = data.map(({ embedding }) => embedding);
console.log('near:', product(a!, b!).toFixed(2), 'far:', product(a!, c!).toFixed(2));
