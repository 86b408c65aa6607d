import { afterAll, beforeAll, expect, test } from 'vitest';
import { openUpstream, type Upstream } from '../../support/upstream.ts';
import type { Person } from '../../support/browser.ts';
import { isLong } from '../../support/long.ts';
import { type Dress, dressesOf, nameOf } from './dressed.ts';
import { type Studio, startStudio } from './studio.ts';
import { administer, build, chatWithFile, firstUse, know, type Stage } from './walks.ts';

// The five ways that people go through the console, from its first page to what they came for: by the pages alone, in Korean and English,
// light and dark, at a desk and on a phone; each in one of these dresses, and in all of them in the long run.

let upstream: Upstream;
let studio: Studio;
/** What was asked of other hosts, and what the pages complained about. */
const tellTales: string[] = [];

beforeAll(async () => {
  upstream = await openUpstream(['reader']);
  studio = await startStudio({
    config: {
      probe: { enabled: false },
      default_model: 'reader',
      engines: { gpu: { addresses: [upstream.url] } },
      models: { reader: { kind: 'chat', engines: [{ engine: 'gpu' }] } },
    },
  });
});
afterAll(async () => {
  await studio?.close();
  await upstream?.close();
});

/** Goes through a journey; `refused` are complaints of the browser that belong to it. */
async function go(journey: (stage: Stage) => Promise<void>, dress: Dress, refused?: string): Promise<void> {
  const people: Person[] = [];
  const stage: Stage = {
    studio,
    upstream,
    dress,
    enter(person) {
      people.push(person);
      return person;
    },
  };
  try {
    await journey(stage);
  } finally {
    for (const { foreign, complaints, close } of people) {
      tellTales.push(...foreign, ...complaints.filter((text) => refused === undefined || !text.includes(refused)));
      await close();
    }
  }
}

const named = (walk: number) => dressesOf(walk, isLong).map((dress) => [nameOf(dress), dress] as const);

test.each(named(0))('first use: by an invitation to a sample, its answer and its source (%s)', (_, dress) =>
  go(firstUse, dress, 'status of 403'),
);
test.each(named(1))('chat: a file is given, asked about and cited, its page beside the talk (%s)', (_, dress) =>
  go(chatWithFile, dress),
);
test.each(named(2))('knowledge: from a new collection to an answer that cites it (%s)', (_, dress) => go(know, dress));
test.each(named(3))('an agent is built, reviewed by another, deployed and used (%s)', (_, dress) => go(build, dress));
test.each(named(4))('administration: somebody is invited, given a role, and seen in the log (%s)', (_, dress) =>
  go(administer, dress),
);

test('no page asked anything of another host, and none complained', () => expect(tellTales).toEqual([]));
