import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../src/ports/database.ts';
import { askingAgent, databaseOf, firstTenant, makeAgent, plainAgent } from '../support/a2a.ts';
import { type House, openHouse } from '../support/house.ts';
import { answer, eventsOf, openStream, play, type UpstreamCall } from '../support/upstream.ts';

// The official A2A SDK of Go, which has nothing but the card of an agent, against a service whose model is scripted.

const words = ['The ', 'answer ', 'is ', '42.'];
/** Called when the client has heard of an answer that is not whole yet. */
let heard: () => void = () => undefined;

/** Streams the first word, and the others once the client has it. */
async function wordByWord(call: UpstreamCall): Promise<void> {
  const isHeard = new Promise<void>((resolve) => (heard = resolve));
  const events = eventsOf(call, { text: words });
  const response = openStream(call);
  // Before the first word stands the role.
  response.write(events.slice(0, 2).join(''));
  await isHeard;
  response.end(events.slice(2).join(''));
}

let house: House;
let db: Database;
const slugs: Record<string, string> = {};

beforeAll(async () => {
  house = await openHouse();
  house.upstream.plays(async (call) => {
    if (call.json.model === 'LLM42') return answer(400, { error: { message: 'broken' } })(call);
    return call.text.includes('Word by word') ? wordByWord(call) : play({ text: words })(call);
  });
  db = await databaseOf(house);
  const tenant = await firstTenant(db);
  slugs['plain'] = (await makeAgent(db, tenant, plainAgent(), { name: 'Plain', description: 'Answers' })).slug;
  slugs['asking'] = (await makeAgent(db, tenant, askingAgent, { name: 'Asking', description: 'Asks' })).slug;
  slugs['failing'] = (await makeAgent(db, tenant, plainAgent('LLM42'), { name: 'Failing', description: 'Fails' })).slug;
});
afterAll(async () => {
  await db?.close();
  await house?.close();
});

test('a2a-go: answers, questions and failures by the card alone, whole and streamed', async () => {
  const env = { STUDIO_BASE: house.base, STUDIO_KEY: house.key, STUDIO_AGENTS: JSON.stringify(slugs) };
  const client = spawn(process.env['STUDIO_GO_CLIENT'] ?? '', {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 150_000,
  });
  const said: string[] = [];
  for await (const line of createInterface({ input: client.stdout })) {
    if (line.startsWith('heard ')) heard();
    said.push(line);
  }
  expect(
    said.filter((line) => !/^(?:ok|heard) /.test(line)),
    said.join('\n'),
  ).toEqual([]);
  expect(said.filter((line) => line.startsWith('ok '))).toHaveLength(14);
  expect(said.filter((line) => line === 'heard The ')).toHaveLength(2);
});
