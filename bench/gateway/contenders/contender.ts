import type { BodySize } from '../payload.ts';
import type { Program, Programs } from '../children.ts';
import type { Target } from '../load.ts';

/** What a contender is started with. */
export interface StartContext {
  readonly programs: Programs;
  /** Core for all its processes. */
  readonly core: string | null;
  readonly enginePort: number;
  /** A folder for its files that is deleted afterwards. */
  readonly folder: string;
  /** A folder that is kept from run to run, for what takes long to fetch. */
  readonly cache: string;
  readonly openFiles: number;
  /** A folder for a CPU profile of this service, when one is wanted. */
  readonly profile: string | null;
}

/** A gateway that runs. */
export interface RunningContender {
  readonly program: Program;
  /** Where to send a chat request; the model is put into the body by whoever sends it. */
  readonly target: Target;
  /** Where to send a request whose personal values are to be kept from the engine; called once it answers. */
  readonly guarded?: () => Promise<Target>;
  /** Where to send requests in the form of the Responses interface. */
  readonly responses?: Target;
}

/** A gateway that takes part in the comparison. */
export interface Contender {
  readonly name: ContenderName;
  /** One line for people: which program, which version, which settings. */
  readonly description: string;
  /** Sizes it takes as it is. */
  readonly sizes?: readonly BodySize[];
  /** Starts it. Throws Skipped where it can't be had here. */
  start(context: StartContext): Promise<RunningContender>;
}

export type ContenderName = 'raw' | 'nginx' | 'portkey' | 'ours' | 'before';

/** Why a contender does not take part. */
export class Skipped extends Error {}
