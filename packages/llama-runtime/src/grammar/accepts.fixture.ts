import { familyOf } from '@ai-studio/reply-format/parsers/index.ts';
import { openRuntime } from '../child/runtime.ts';
import { jsonReplyGrammar } from './index.ts';

const { bindings } = await openRuntime({ gpu: 'off', runtimeDir: null, log: () => undefined });

/** Whether llama.cpp takes a text for one of the grammar. Throws for a grammar that it cannot read. */
export const accepts = (grammar: string, text: string): boolean =>
  (
    new bindings.AddonGrammar(grammar, { addonExports: bindings, rootRuleName: 'root' }) as unknown as {
      isTextCompatible(text: string): boolean;
    }
  ).isTextCompatible(text);

/** The grammar of an answer under a schema, of a model without channels. */
export const jsonGrammar = (schema: unknown): string => jsonReplyGrammar(familyOf(''), schema).text;
