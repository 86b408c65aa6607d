import { createOutputParser } from '@ai-studio/reply-format/parsers/index.ts';
import { jsonReplyGrammar, toolGrammar } from '../grammar/index.ts';
import { RequestError } from '../request-error.ts';
import { createTemplate } from '../template/index.ts';
import type { ChatFormat } from './chat-format.ts';
import type { ModelFacts } from './header.ts';
import { LoadFailure } from './settings.ts';

function compileTemplate(facts: ModelFacts, controls: readonly string[]) {
  try {
    return createTemplate({
      source: facts.chatTemplate,
      toolSource: facts.toolTemplate,
      bosToken: facts.bosText,
      eosToken: facts.eosText,
      controls,
    });
  } catch (error) {
    if (error instanceof RequestError) throw new LoadFailure('corrupt', error.message, error);
    throw error;
  }
}

/**
 * The conversation format of a model, from its own template. `controls`: texts of its control tokens. Throws a LoadFailure
 * for a template that cannot be read.
 */
export function createChatFormat(facts: ModelFacts, controls: readonly string[]): ChatFormat {
  const template = compileTemplate(facts, controls);
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
