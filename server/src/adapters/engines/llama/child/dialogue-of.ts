import { Template } from '@huggingface/jinja';
import { EngineError } from '../../../../ports/engine.ts';
import type { Dialogue, OutputParser, Piece } from './dialogue.ts';
import type { ModelFacts } from './header.ts';

const CHATML =
  '{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}<|im_start|>assistant\n';
const marks = ['<think>', '</think>'] as const;

function partialMark(text: string, mark: string): number {
  for (let length = Math.min(mark.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(mark.slice(0, length))) return length;
  }
  return 0;
}

function createThinkParser(thinkingOpen: boolean): OutputParser {
  let inside = thinkingOpen;
  let held = '';
  const take = (text: string, out: Piece[]) => {
    if (text !== '') out.push({ type: inside ? 'reasoning' : 'content', text });
  };
  return {
    get inReasoning() {
      return inside;
    },
    push(text) {
      const out: Piece[] = [];
      let rest = held + text;
      for (;;) {
        const mark = marks[inside ? 1 : 0];
        const at = rest.indexOf(mark);
        if (at < 0) {
          const safe = rest.length - partialMark(rest, mark);
          take(rest.slice(0, safe), out);
          held = rest.slice(safe);
          return out;
        }
        take(rest.slice(0, at), out);
        rest = rest.slice(at + mark.length);
        inside = !inside;
      }
    },
    end() {
      const out: Piece[] = [];
      take(held, out);
      held = '';
      return out;
    },
  };
}

const refused = (what: string, param: string) =>
  new EngineError('refused', `The model cannot do this: ${what}`, { status: 400, detail: what, param });

/** The conversation format of a model, from its own template. */
export function createDialogue(facts: ModelFacts): Dialogue {
  const source = facts.chatTemplate ?? CHATML;
  const template = new Template(source);
  return {
    family: 'generic',
    tools: false,
    thinking: source.includes('<think>') ? 'optional' : 'none',
    render({ messages, tools, kwargs, thinking }) {
      const prompt = template.render({
        messages,
        tools,
        add_generation_prompt: true,
        bos_token: facts.bosText,
        eos_token: facts.eosText,
        ...(thinking === null ? {} : { enable_thinking: thinking }),
        ...kwargs,
      });
      const thinkingOpen = /<think>\s*$/.test(prompt);
      return { prompt, thinkingOpen, stops: facts.chatTemplate === null ? ['<|im_end|>'] : [] };
    },
    parser: ({ thinkingOpen }) => createThinkParser(thinkingOpen),
    jsonGrammar: () => {
      throw refused('This model cannot be held to JSON yet.', 'response_format');
    },
    toolGrammar: () => {
      throw refused('This model cannot be made to call tools yet.', 'tool_choice');
    },
  };
}
