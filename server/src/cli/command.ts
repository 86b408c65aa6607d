import type { LoadedConfig } from '../config/index.ts';
import type { CommandLine } from './args.ts';
import type { Output } from './output.ts';

/** Input of a command. */
export interface CommandContext {
  /** The arguments after the command's name. */
  readonly line: CommandLine;
  readonly out: Output;
  /** Reads the configuration with the flags that are not the command's own. Throws ConfigError. */
  readonly load: (flags?: CommandLine['flags']) => LoadedConfig;
}

/** Runs the command and resolves with the exit code. */
export type Command = (context: CommandContext) => Promise<number>;
