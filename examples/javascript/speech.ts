// A text that is spoken with the `openai` package, and written down again where a speech-to-text model is there.
//   STUDIO_URL=http://127.0.0.1:8080 STUDIO_API_KEY=… node examples/javascript/speech.ts
import OpenAI, { toFile } from 'openai';

const client = new OpenAI({ baseURL: `${process.env.STUDIO_URL}/v1`, apiKey: process.env.STUDIO_API_KEY });

const models: Record<string, string> = {};
for await (const model of client.models.list()) models[(model as OpenAI.Model & { type: string }).type] ??= model.id;

const speech = await client.audio.speech.create({
  model: models['speech'] ?? '',
  voice: 'alloy',
  input: '안녕하세요. Hello.',
  response_format: 'wav',
});
const bytes = Buffer.from(await speech.arrayBuffer());
console.log(`speech.wav has ${bytes.length} bytes`);

if (models['transcription'] === undefined) console.log('No speech-to-text model is there: connect or install one.');
else {
  const file = await toFile(bytes, 'speech.wav');
  const { text } = await client.audio.transcriptions.create({ model: models['transcription'], file });
  console.log('heard:', text);
}
