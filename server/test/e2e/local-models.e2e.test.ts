import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join as joinPath } from 'node:path';
import type { ModelList } from '@ai-studio/contract/models.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { covers } from '../requirements.ts';
import { eventually } from '../support/eventually.ts';
import { simpleHeader } from '../support/gguf-header.ts';
import { call, chat, expectError, jsonOf } from '../support/http.ts';
import { type Service, startService, temporaryFolder } from '../support/service.ts';

/** Puts a file into the folder of models and waits until every process of the service knows it. */
async function drop(service: Service, id: string, content: Buffer): Promise<void> {
  await writeFile(joinPath(service.dataFolder, 'models', `${id}.gguf`), content);
  await eventually(async () => expect(await ids(service)).toContain(id));
}
const ids = async (service: Service) =>
  jsonOf<ModelList>(await call(service, '/v1/models')).data.map((model) => model.id);

describe.each([1, 2])('local models in %i processes', (workers) => {
  let service: Service;
  let dataFolder: string;
  beforeAll(async () => {
    dataFolder = await temporaryFolder();
    await mkdir(joinPath(dataFolder, 'models'));
    service = await startService({
      dataFolder,
      config: {
        server: { workers },
        models: { bound: { engines: [{ engine: 'llama', model: 'not-there' }] } },
      },
    });
  });
  afterAll(async () => {
    await service.close();
    await rm(dataFolder, { recursive: true, force: true });
  });

  test('a model whose file is not there is a 503 that says what to do', async () => {
    covers('local.missing');
    const reply = await chat(service, { model: 'bound' });
    expectError(reply, 503, { message: /no model not-there on this machine.*studio models pull/ });
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    expectError(await chat(service, { model: 'bound', stream: true }), 503);
  });

  test('a damaged file is listed, and a 503 that says what is wrong', async () => {
    covers('local.corrupt', 'local.watched');
    await drop(service, 'torn', simpleHeader({ 'general.architecture': 'qwen3', 'general.name': 'x' }).subarray(0, 40));
    expectError(await chat(service, { model: 'torn' }), 503, {
      message: /torn cannot be used.*ends within its header/,
    });
    expect((await chat(service, { model: 'CORE-GOV' })).status).toBe(200);
  });
});
