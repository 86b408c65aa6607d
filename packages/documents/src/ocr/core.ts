import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { gunzipSync } from 'node:zlib';

// The recogniser as it is compiled to WebAssembly: loaded from the packages beside the service, never from elsewhere.

/** Languages whose data come with the service. */
export const languages = ['kor', 'eng'] as const;
export type Language = (typeof languages)[number];

/** The part of Tesseract's interface that is used. Source: `tesseract.idl` of tesseract.js-core. */
export interface BaseApi {
  Init(folder: string, languages: string, engine: number): number;
  SetVariable(name: string, value: string): boolean;
  SetPageSegMode(mode: number): void;
  SetImage(data: number, width: number, height: number, bytesPerPixel: number, bytesPerLine: number): void;
  SetSourceResolution(dotsPerInch: number): void;
  Recognize(monitor: null): number;
  GetJSONText(page: number): string;
  Clear(): void;
}

interface CoreModule {
  readonly TessBaseAPI: new () => BaseApi;
  readonly OEM_LSTM_ONLY: number;
  readonly FS: { writeFile(path: string, bytes: Uint8Array): void };
  _malloc(bytes: number): number;
  _free(address: number): void;
  _pixReadMem(address: number, bytes: number): number;
  _pixDestroy(address: number): void;
}

interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** An instance of the recogniser with memory of its own. */
export interface Core {
  /** Reads all languages. */
  readonly all: BaseApi;
  /** Reads English alone, faster and better where nothing else is; null where that is all there is, or is not wanted. */
  readonly english: BaseApi | null;
  readonly module: CoreModule;
  readonly memory: Memory;
}

/** Memory of an instance; beyond it the library gets no more. */
const MAX_MEMORY_BYTES = 800 * 1024 * 1024;
const WASM_PAGE_BYTES = 65_536;

interface Instance {
  readonly exports: Readonly<Record<string, unknown>>;
}
interface WasmNamespace {
  compile(bytes: Uint8Array): Promise<object>;
  instantiate(module: object, imports: object): Promise<Instance>;
  readonly Memory: new () => Memory;
}
const { WebAssembly: wasm } = globalThis as unknown as { readonly WebAssembly: WasmNamespace };

const require = createRequire(import.meta.url);

const dataFiles: Readonly<Record<Language, () => string>> = {
  kor: () => require.resolve('@tesseract.js-data/kor/4.0.0_best_int/kor.traineddata.gz'),
  eng: () => require.resolve('@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz'),
};

/** The same memory, which does not grow past its bound. */
function boundedMemory(exports: Instance['exports']): Memory {
  const memory = Object.values(exports).find((one): one is Memory => one instanceof wasm.Memory);
  if (memory === undefined) throw new Error('the recogniser has no memory');
  const grow = memory.grow.bind(memory);
  memory.grow = (pages) => {
    if (memory.buffer.byteLength + pages * WASM_PAGE_BYTES > MAX_MEMORY_BYTES) throw new RangeError('no memory left');
    return grow(pages);
  };
  return memory;
}

/** Compiles the recogniser once; each call of what it returns makes an instance that reads the languages. */
export async function compileCore(wanted: readonly Language[]): Promise<() => Promise<Core>> {
  const compiled = await wasm.compile(
    await readFile(require.resolve('tesseract.js-core/tesseract-core-simd-lstm.wasm')),
  );
  const make = require('tesseract.js-core/tesseract-core-simd-lstm.js') as (options: object) => Promise<CoreModule>;
  const data = await Promise.all(
    wanted.map(async (one) => ({ one, bytes: gunzipSync(await readFile(dataFiles[one]())) })),
  );
  return async () => {
    let memory: Memory | null = null;
    const module = await make({
      print: () => undefined,
      printErr: () => undefined,
      instantiateWasm: (imports: object, done: (instance: Instance, module: object) => void) => {
        const start = async () => {
          const instance = await wasm.instantiate(compiled, imports);
          memory = boundedMemory(instance.exports);
          done(instance, compiled);
        };
        void start();
        return {};
      },
    });
    for (const { one, bytes } of data) module.FS.writeFile(`/${one}.traineddata`, bytes);
    const start = (some: readonly Language[]): BaseApi => {
      const api = new module.TessBaseAPI();
      if (api.Init('/', some.join('+'), module.OEM_LSTM_ONLY) !== 0)
        throw new Error('the recogniser could not read its languages');
      return api;
    };
    if (memory === null) throw new Error('the recogniser did not start');
    const english = wanted.length > 1 && wanted.includes('eng') ? start(['eng']) : null;
    return { all: start(wanted), english, module, memory };
  };
}
