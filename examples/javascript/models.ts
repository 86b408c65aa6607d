// What the key may use: every model with its kind, and one of them.
//   STUDIO_URL=http://127.0.0.1:8080 STUDIO_API_KEY=… node examples/javascript/models.ts
import OpenAI from 'openai';

const client = new OpenAI({ baseURL: `${process.env.STUDIO_URL}/v1`, apiKey: process.env.STUDIO_API_KEY });

for await (const model of client.models.list()) {
  const { id, type } = model as OpenAI.Model & { type: string };
  console.log(`${id}: ${type}`);
}
console.log('one:', (await client.models.retrieve('CORE-GOV-THINK')).id);
