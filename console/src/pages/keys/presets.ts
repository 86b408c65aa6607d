import type { ToolStream } from '@ai-studio/contract/console/keys.ts';
import type { z } from 'zod';

/** Programs that a key may be made for. */
export const keyPresets = ['none', 'openai', 'open_webui', 'anthropic', 'mcp', 'original'] as const;
export type KeyPreset = (typeof keyPresets)[number];

interface Preset {
  /** The form of tool calls in streams that they read; null leaves it to the tenant. */
  readonly toolStream: z.infer<typeof ToolStream> | null;
  /** Whether agents are models to them: for programs in which people choose a model. */
  readonly agentModels?: boolean;
  /** Their settings, one a line, given the address of the service and the key; empty for none. */
  readonly settings: (origin: string, key: string) => readonly string[];
}

const nothing: readonly string[] = [];

/** Sources of the names: the manuals of the programs (docs/guide/clients.md). */
export const presets: Readonly<Record<KeyPreset, Preset>> = {
  none: { toolStream: null, settings: () => nothing },
  openai: {
    toolStream: 'openai',
    settings: (origin, key) => [`OPENAI_BASE_URL=${origin}/v1`, `OPENAI_API_KEY=${key}`],
  },
  open_webui: {
    toolStream: 'openai',
    agentModels: true,
    settings: (origin, key) => ['ENABLE_OPENAI_API=true', `OPENAI_API_BASE_URL=${origin}/v1`, `OPENAI_API_KEY=${key}`],
  },
  anthropic: {
    toolStream: 'openai',
    settings: (origin, key) => [
      `ANTHROPIC_BASE_URL=${origin}`,
      `ANTHROPIC_AUTH_TOKEN=${key}`,
      'ANTHROPIC_MODEL=CORE-GOV-THINK',
    ],
  },
  mcp: {
    toolStream: null,
    settings: (origin, key) => [
      `URL: ${origin}/mcp`,
      `Authorization: Bearer ${key}`,
      `claude mcp add --transport http ai-studio ${origin}/mcp --header "Authorization: Bearer ${key}"`,
    ],
  },
  original: {
    toolStream: 'arguments',
    settings: (origin, key) => [`Base URL: ${origin}/api/v1`, `Authorization: Bearer ${key}`],
  },
};
