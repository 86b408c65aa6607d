import type { LoadedConfig } from '../config/index.ts';
import type { CommandLine } from './args.ts';
import type { Output } from './output.ts';

/** What a command is given. */
export interface CommandContext {
  /** What stands after the command's name. */
  readonly line: CommandLine;
  readonly out: Output;
  /** Reads the configuration with the flags that are not the command's own. Throws ConfigError. */
  readonly load: (flags?: CommandLine['flags']) => LoadedConfig;
}

/** Does the command and resolves with the exit code. */
export type Command = (context: CommandContext) => Promise<number>;
