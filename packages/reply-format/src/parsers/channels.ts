import { HarmonyReader } from '../harmony.ts';
import { type OutputParser, type Piece, Pieces } from './pieces.ts';

/** Reads replies in channels. The prompt ends with `<|start|>assistant`; channels have a grammar of their own. */
export class ChannelParser implements OutputParser {
  readonly openingRest = '';
  readonly closingRest = '';
  readonly #out = new Pieces();
  readonly #reader: HarmonyReader;

  constructor(hasTools: boolean) {
    this.#reader = new HarmonyReader(this.#out, hasTools);
  }

  get inReasoning(): boolean {
    return this.#reader.inReasoning;
  }

  continuesAfter(): boolean {
    return false;
  }

  push(text: string): Piece[] {
    this.#reader.push(text);
    return this.#out.take();
  }

  end(): Piece[] {
    // A reply without channels is an answer.
    this.#out.text('content', this.#reader.end());
    return this.#out.take();
  }
}
