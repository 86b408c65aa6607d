import type { ChatSink } from '../../ports/engine.ts';
import { ChoiceSplitter } from './choice-splitter.ts';
import type { SplitOptions } from './split-options.ts';

export interface ReasoningSplit {
  readonly sink: ChatSink;
  /** The reply is cut: what was held back of it is given out, and nothing is learned of its model. */
  cut(): void;
  /** What is held back for a time goes out now. */
  overdue(): void;
}

/** Separates thinking from answers: what goes into its sink comes out at `out`. */
export function splitReasoning(options: SplitOptions, out: ChatSink): ReasoningSplit {
  const choices: ChoiceSplitter[] = [];
  const cut = () => choices.forEach((choice) => choice.cut());
  const sink: ChatSink = (event) => {
    switch (event.type) {
      case 'text': {
        const splitter = (choices[event.choice] ??= new ChoiceSplitter(event.choice, options, out));
        if (event.channel === 'content') splitter.content(event);
        else splitter.reasoning(event);
        return;
      }
      case 'tool_call':
        choices[event.choice]?.toolCall();
        out(event);
        return;
      case 'finish':
        (choices[event.choice] ??= new ChoiceSplitter(event.choice, options, out)).finish(event);
        return;
      case 'error':
        // What came of a stream is given out before its failure, as it would have been without being held back.
        if (!options.isWhole) cut();
        out(event);
        return;
      default:
        out(event);
    }
  };
  return {
    sink,
    cut,
    overdue: () => choices.forEach((choice) => choice.overdue()),
  };
}
