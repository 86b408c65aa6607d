import type { ServerProblem } from '@ai-studio/contract/console/models.ts';
import type { EngineModel } from './engine.ts';

/** Address and key of a model server. */
export interface ServerAddress {
  readonly baseUrl: string;
  readonly apiKey: string | null;
}

/** The result of probing an address. `message` is for people, and holds neither the key nor the server's reply. */
export type ServerProbe =
  | {
      readonly ok: true;
      readonly latencyMs: number;
      /** The kind of server, where it was recognised. */
      readonly dialect: string | null;
      readonly models: readonly EngineModel[];
    }
  | {
      readonly ok: false;
      /** `unreachable`: no reply; `refused`: it requires another key, or is not ready; `not_openai`: another protocol. */
      readonly reason: 'unreachable' | 'refused' | 'not_openai';
      readonly message: string;
      /** The problem by name, and its values: `host`, `status`, `address`. */
      readonly problem: ServerProblem;
      readonly values: Readonly<Record<string, string | number>>;
      /** Null where there was no reply. */
      readonly latencyMs: number | null;
    };

/** Asks a server for its models. Never rejects, but with the reason of the signal. */
export type ProbeServer = (address: ServerAddress, signal: AbortSignal) => Promise<ServerProbe>;
