import { askForText, type OpenChat } from '../../inference/index.ts';
import type { CallContext } from '../../kernel/actor.ts';
import { StudioError } from '../../kernel/errors.ts';
import type { Catalogue } from '../../models/catalogue.ts';
import { reasoningKwargs } from '../../models/reasoning-switch.ts';
import { EngineError } from '../../ports/engine.ts';
import { PageNotRead, type PageReader } from '../../ports/page-reader.ts';
import { blocksAsMarkdown } from './block-lists.ts';

export interface ModelReaderDeps {
  readonly openChat: OpenChat;
  readonly catalogue: Catalogue;
  readonly now: () => number;
}

/** A vision model that reads pages. */
export interface VisionModel {
  readonly name: string;
  /** What it is told; left out: to write Markdown. */
  readonly prompt?: string | null;
}

const MAX_TOKENS = 8_000;

const PROMPT = `Write down everything that this page of a document says, as Markdown, in the order in which people read it.
Headings are # to ######, lists keep their own marks, formulas are LaTeX between $ signs, boxes to tick are ☐ or ☑.
Tables are Markdown, or HTML with rowspan and colspan where cells are merged.
Copy every word and figure as it stands; add nothing, translate nothing, explain nothing. An empty page is an empty answer.`;
const WITHOUT_FIGURES = 'Leave pictures out; of charts and diagrams write the words alone.';
const WITH_FIGURES =
  'For each picture, chart or diagram write, where it stands, one line ![what it shows, with its figures, in the language of the page](figure).';

/** Reads pages by a model of the caller, within the limits, the guard and the metering of every chat. */
export function createModelReader(
  { openChat, catalogue, now }: ModelReaderDeps,
  { actor, requestId, priority }: Omit<CallContext, 'signal'>,
  { name, prompt }: VisionModel,
): PageReader {
  const known = catalogue.get(name);
  const kwargs = known?.kind === 'chat' ? reasoningKwargs(known, false) : null;
  return {
    async read({ picture, describeFigures, signal }) {
      const text = prompt ?? `${PROMPT}\n${describeFigures ? WITH_FIGURES : WITHOUT_FIGURES}`;
      const url = `data:image/png;base64,${Buffer.from(picture).toString('base64')}`;
      const body = {
        model: name,
        temperature: 0,
        max_tokens: MAX_TOKENS,
        messages: [
          {
            role: 'user',
            content: [
              { type: 'image_url', image_url: { url } },
              { type: 'text', text },
            ],
          },
        ],
        ...(kwargs ? { chat_template_kwargs: kwargs } : {}),
      };
      const call = { actor, requestId, ...(priority === undefined ? {} : { priority }), startedMs: now() };
      try {
        const inference = openChat({ ...call, endpoint: 'document/parse', softLimit: true });
        const whole = await askForText(inference, body, signal);
        signal.throwIfAborted();
        // Models that have lost their way repeat themselves until they are stopped.
        if (whole.usage.completionTokens >= MAX_TOKENS) throw new PageNotRead('the model did not come to an end');
        return blocksAsMarkdown(whole.text) ?? whole.text;
      } catch (error) {
        signal.throwIfAborted();
        // What a server says of itself is for the log.
        if (error instanceof EngineError) throw new PageNotRead(`the model failed (${error.kind})`, { cause: error });
        if (!(error instanceof StudioError)) throw error;
        throw new PageNotRead(`the model answered: ${error.message}`, { cause: error });
      }
    },
  };
}
