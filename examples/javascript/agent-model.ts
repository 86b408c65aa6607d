// A deployed agent as a model of the `openai` package, with a key that takes agents for models, and the sources of its answer.
//   STUDIO_URL=http://127.0.0.1:8080 STUDIO_API_KEY=… STUDIO_AGENT=… node examples/javascript/agent-model.ts
import OpenAI from 'openai';

const { STUDIO_URL, STUDIO_API_KEY, STUDIO_AGENT } = process.env;
const client = new OpenAI({ baseURL: `${STUDIO_URL}/v1`, apiKey: STUDIO_API_KEY });

const models = await client.models.list();
console.log('agents:', models.data.filter(({ id }) => id.startsWith('agent/')).length > 0);

const stream = await client.chat.completions.create({
  model: `agent/${STUDIO_AGENT}`,
  messages: [{ role: 'user', content: '12 * 12' }],
  stream: true,
});
process.stdout.write('answer: ');
for await (const { choices } of stream) {
  const delta = choices[0]?.delta as OpenAI.ChatCompletionChunk.Choice.Delta & { annotations?: object[] };
  process.stdout.write(delta?.content ?? '');
  for (const source of delta?.annotations ?? []) console.log('\nsource:', source);
}
console.log();
