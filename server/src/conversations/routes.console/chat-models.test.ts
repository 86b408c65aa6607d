import { ChatModelList } from '@ai-studio/contract/console/conversations.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type FreshDatabase, freshDatabase } from '../../../test/support/postgres.ts';
import type { TenantId } from '../../kernel/context.ts';
import { createCatalogue } from '../../models/catalogue.ts';
import { LOCAL_ENGINE } from '../../models/local.ts';
import { chatModelRoutes } from './chat-models.ts';

type Deps = Parameters<typeof chatModelRoutes>[0];
const tenantId = 't' as TenantId;
const limits = { requestsPerMinute: null, tokensPerMinute: null };
const models = {
  remote: {
    description: 'Far away',
    engines: [{ engine: 'far' }],
    reasoning: { default: 'on' as const, keys: ['reasoning' as const], format: 'field' as const },
    template_keys: {
      think: { type: 'boolean' as const, when_true: 'on' as const, when_false: 'off' as const },
      tone: { type: 'string' as const, enum: ['kind'] },
      tongue: { type: 'string' as const, format: 'language' as const },
    },
  },
  here: { engines: [{ engine: LOCAL_ENGINE, model: 'file' }] },
  vectors: { kind: 'embedding' as const, engines: [{ engine: 'far' }], dimensions: 3 },
};

describe('the models that chat offers', () => {
  let fresh: FreshDatabase;
  beforeAll(async () => {
    fresh = await freshDatabase();
    await fresh.db.query.insertInto('tenants').values({ id: tenantId, name: 'T' }).execute();
  });
  beforeEach(async () => void (await fresh.db.query.deleteFrom('tenant_settings').execute()));
  afterAll(() => fresh.close());

  type Models = Parameters<typeof createCatalogue>[0]['models'];
  async function offered({
    cooling = false,
    file = 'ready',
    all = models,
  }: { cooling?: boolean; file?: string; all?: Models } = {}) {
    let listed = 0;
    const [route] = chatModelRoutes({
      db: fresh.db,
      defaultLimits: limits,
      catalogue: createCatalogue({ models: all }),
      states: () => [{ engine: 'far/0', cooling }] as unknown as ReturnType<Deps['states']>,
      store: {
        list: () => {
          listed++;
          return Promise.resolve([{ state: file, localId: 'file' }] as never);
        },
      },
    });
    const list = ChatModelList.parse(await route?.handle({ ctx: { actor: { tenantId } } } as never));
    const ready = Object.fromEntries(list.items.map((one) => [one.id, one.ready]));
    return { list, ready, listed };
  }
  const set = (settings: object) =>
    fresh.db.query
      .insertInto('tenant_settings')
      .values({ tenant_id: tenantId, settings: JSON.stringify(settings) })
      .execute();

  test('are those of chat, each with what a form has to know', async () => {
    const { list } = await offered();
    const ids = list.items.map(({ id }) => id);
    expect(ids).toContain('remote');
    expect(ids).not.toContain('vectors');
    expect(list.items.find(({ id }) => id === 'remote')).toMatchObject({
      description: 'Far away',
      reasoning: 'on',
      reasoning_switch: true,
      images: false,
      builtin: false,
      template_keys: {
        think: { type: 'boolean' },
        tone: { type: 'string', enum: ['kind'] },
        tongue: { type: 'string', pattern: expect.any(String) as string },
      },
    });
    expect(list.items.find(({ id }) => id === 'here')).toMatchObject({ description: null, reasoning_switch: false });
    expect(list.items.filter(({ builtin }) => builtin).length).toBeGreaterThan(0);
  });

  test('are ready while their engine does not rest, or their file is here', async () => {
    expect((await offered()).ready).toMatchObject({ remote: true, here: true });
    expect((await offered({ cooling: true })).ready).toMatchObject({ remote: false, here: true });
    for (const [file, ready] of [
      ['loading', true],
      ['loaded', true],
      ['missing', false],
    ] as const)
      expect((await offered({ file })).ready).toMatchObject({ remote: true, here: ready });
  });

  test('are looked for among the files of this machine only where one runs on it', async () => {
    expect((await offered()).listed).toBe(1);
    expect((await offered({ all: { remote: models.remote } })).listed).toBe(0);
  });

  test('begin with one that a language model answers: the standard one where it has one, else the first that does', async () => {
    const { list } = await offered();
    expect(list.default_model).toBe('remote');
    expect(list.items.slice(0, 2).map(({ id }) => id)).toEqual(['remote', 'here']);
    expect(list.items.slice(2).every(({ builtin }) => builtin)).toBe(true);
    const bound = { ...models, 'CORE-GOV-THINK': { engines: [{ engine: 'far' }] } };
    expect((await offered({ all: bound })).list.default_model).toBe('CORE-GOV-THINK');
    expect((await offered({ all: {} })).list.default_model).toBe('CORE-GOV-THINK');
    await set({ default_model: 'CORE-GOV' });
    expect((await offered()).list.default_model).toBe('CORE-GOV');
  });

  test('are those that the tenant may use, its own standard first', async () => {
    await set({ default_model: 'here' });
    expect((await offered()).list.default_model).toBe('here');
    await fresh.db.query.deleteFrom('tenant_settings').execute();
    await set({ allowed_models: ['remote'], default_model: 'here' });
    const { list } = await offered();
    expect(list.items.map(({ id }) => id)).toEqual(['remote']);
    expect(list.default_model).toBe('remote');
  });
});
