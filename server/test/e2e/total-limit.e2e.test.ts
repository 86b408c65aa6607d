import { afterAll, beforeAll, expect, test } from 'vitest';
import { covers } from '../requirements.ts';
import { type House, openHouse } from '../support/house.ts';
import { call, expectError } from '../support/http.ts';
import { silence } from '../support/upstream.ts';

let house: House;
beforeAll(async () => {
  house = await openHouse({
    config: () => ({ timeouts: { total_ms: 700 } }),
    models: {
      embedder: { kind: 'embedding', engines: [{ engine: 'fake', model: 'served-embedder' }] },
      ranker: { kind: 'rerank', engines: [{ engine: 'fake', model: 'served-ranker' }] },
    },
  });
  house.upstream.plays(silence);
});
afterAll(() => house.close());

test.each<[string, Record<string, unknown>]>([
  ['/v1/embeddings', { model: 'embedder', input: ['안녕하세요'] }],
  [
    '/v1/rerank',
    { model: 'ranker', query: '연차는 며칠인가요?', documents: ['점심은 12시입니다.', '휴가는 연 15일입니다.'] },
  ],
])('%s ends with a 504 when the engine does not answer within the total limit', async (path, body) => {
  covers('timeout.total.whole');
  const before = house.upstream.calls.length;
  expectError(await call(house, path, { body }), 504, { message: /total_ms|total/ });
  expect(house.upstream.calls.length).toBeGreaterThan(before);
});
