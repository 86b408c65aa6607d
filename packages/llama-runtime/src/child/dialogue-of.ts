import { createOutputParser } from '@ai-studio/reply-format/parsers/index.ts';
import { jsonReplyGrammar, toolGrammar } from '../grammar/index.ts';
import { Refusal } from '../refusal.ts';
import { createTemplate } from '../template/index.ts';
import type { Dialogue } from './dialogue.ts';
import type { ModelFacts } from './header.ts';
import { LoadFailure } from './settings.ts';

function openTemplate(facts: ModelFacts, controls: readonly string[]) {
  try {
    return createTemplate({
      source: facts.chatTemplate,
      toolSource: facts.toolTemplate,
      bosToken: facts.bosText,
      eosToken: facts.eosText,
      controls,
    });
  } catch (error) {
    if (error instanceof Refusal) throw new LoadFailure('corrupt', error.message, error);
    throw error;
  }
}

/**
 * The conversation format of a model, from its own template. `controls`: texts of its control tokens. Throws a LoadFailure
 * for a template that cannot be read.
 */
export function createDialogue(facts: ModelFacts, controls: readonly string[]): Dialogue {
  const template = openTemplate(facts, controls);
  const { family } = template;
  return {
    family: family.name,
    tools: template.tools,
    thinking: template.thinking,
    render: (request) => template.render(request),
    parser: ({ thinkingOpen, tools }) => createOutputParser({ family, thinkingOpen, tools }),
    jsonGrammar: (schema) => jsonReplyGrammar(family, schema),
    toolGrammar: (options) => toolGrammar({ family, ...options }),
  };
}
