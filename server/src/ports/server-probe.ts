import type { ServerProblem } from '@ai-studio/contract/console/models.ts';
import type { EngineModel } from './engine.ts';

/** A model server as somebody names it. */
export interface ServerAddress {
  readonly baseUrl: string;
  readonly apiKey: string | null;
}

/** What a look at an address found. `message` is for people, and holds neither the key nor what the server wrote. */
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
      /** `unreachable`: no answer; `refused`: it wants another key, or is not ready; `not_openai`: it speaks something else. */
      readonly reason: 'unreachable' | 'refused' | 'not_openai';
      readonly message: string;
      /** The same by its name, and what that speaks of: `host`, `status`, `address`. */
      readonly problem: ServerProblem;
      readonly values: Readonly<Record<string, string | number>>;
      /** Null where there was no answer. */
      readonly latencyMs: number | null;
    };

/** Asks a server for its models. Never rejects, but with the reason of the signal. */
export type ProbeServer = (address: ServerAddress, signal: AbortSignal) => Promise<ServerProbe>;
