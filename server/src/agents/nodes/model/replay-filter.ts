import { fromJsonText, type JsonText, toJsonText } from '../../../kernel/json-text.ts';
import { storable } from '../../runs/json.ts';

/** Compares what a model says anew with what was sent of it, and lets through what is new. */
export class ReplayFilter {
  #again = '';
  #differs = false;
  readonly #sent: string;
  readonly #push: (json: JsonText) => void;

  constructor(sent: string, push: (json: JsonText) => void) {
    this.#sent = sent;
    this.#push = push;
  }

  /** Whether the model says other words than it had: what it says now is not wanted. */
  get differs(): boolean {
    return this.#differs || this.#again.length < this.#sent.length;
  }

  /** Returns false where the rest is not wanted. */
  text(json: JsonText): boolean {
    if (this.#again.length >= this.#sent.length) {
      this.#push(json);
      return true;
    }
    this.#again += storable(fromJsonText(json));
    const { length } = this.#sent;
    if (this.#again.length <= length) this.#differs = !this.#sent.startsWith(this.#again);
    else if (this.#again.startsWith(this.#sent)) this.#push(toJsonText(this.#again.slice(length)));
    else this.#differs = true;
    return !this.#differs;
  }
}
