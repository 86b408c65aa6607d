import { type Core, type Language, compileCore } from './core.ts';

/** An instance with more memory than this is thrown away after use: memory never shrinks. */
const MAX_REUSED_MEMORY_BYTES = 256 * 1024 * 1024;

/**
 * The recogniser of this process: made once for its languages (a tenth of a second, some 70 MiB) and used for one document after
 * another. An instance that a picture broke is thrown away.
 */
class Engines {
  readonly #making = new Map<string, Promise<() => Promise<Core>>>();
  readonly #idle = new Map<string, Core>();

  async use<Result>(languages: readonly Language[], call: (core: Core) => Result): Promise<Result> {
    const key = languages.join('+');
    let core = this.#idle.get(key);
    this.#idle.delete(key);
    if (core === undefined) {
      const making = this.#making.get(key) ?? compileCore(languages);
      this.#making.set(key, making);
      core = await (await making)();
    }
    const result = call(core);
    if (core.memory.buffer.byteLength <= MAX_REUSED_MEMORY_BYTES) this.#idle.set(key, core);
    return result;
  }
}

const engines = new Engines();

/**
 * Calls the recogniser. What it throws, other than errors of the call itself, means that the picture was too much for it: the next
 * call gets a new one.
 */
export const withCore = <Result>(languages: readonly Language[], call: (core: Core) => Result): Promise<Result> =>
  engines.use(languages, call);
