import { hash } from 'node:crypto';
import type { GuardPolicy, GuardSource } from '@ai-studio/contract/utilities/guard.ts';
import type { FindingType } from '@ai-studio/contract/utilities/privacy.ts';
import type { TenantId } from '../../kernel/context.ts';
import { StudioError } from '../../kernel/errors.ts';
import type { SecretBox } from '../../kernel/secret-box.ts';
import { VALUES_A_TURN, createTurnBudget, eachInTurns, whenThere } from '../../kernel/turns.ts';
import type { Finding } from '../finding.ts';
import { findLeft } from '../leftover.ts';
import { type KeyedWriters, type MaskPolicy, type Masked, maskTextWith } from '../mask.ts';
import type { ValueFinder } from '../search/search.ts';
import { isFoundInWindows } from '../windows.ts';
import { tenantWriters } from '../vault/writers.ts';
import { type ChatTexts, type TextPlace, maskChatTexts } from './chat-text.ts';
import type { FoundCounts } from './counts.ts';
import { type MaskedInPlace, maskInPlace } from './mask-in-place.ts';
import type { PlacedChat } from './placed-texts.ts';
import { type Escaping, type Restorer, TokenBook, createRestorer } from './tokens.ts';

export interface GuardDeps {
  readonly box: SecretBox;
  readonly search: ValueFinder;
  readonly counts: Pick<FoundCounts, 'add'>;
  /** The secret that tokens of a tenant are made of. */
  readonly tenantKey: (tenantId: TenantId) => string;
}

/** The call that is guarded. */
export interface GuardedCall {
  readonly tenantId: TenantId;
  readonly source: GuardSource;
  /** Calls of the same conversation write the same token for the same value. Asked for once there is a value. */
  readonly conversation: () => string;
}

/** Findings of a text that was searched together with `offset` units of context before it; those within the context are dropped. */
const shiftFindings = (found: readonly Finding[], offset: number): readonly Finding[] =>
  offset === 0
    ? found
    : found.flatMap((finding) =>
        finding.end <= offset
          ? []
          : [{ ...finding, start: Math.max(0, finding.start - offset), end: finding.end - offset }],
      );

/** What each text takes beside its length, in units: a search of one letter takes as long as so many of a sentence. */
const UNITS_A_TEXT = 50;

/** Guards the texts of one call, on their way to a model and back. A class: object literals with getters cost a shape each. */
export class GuardedTexts {
  readonly mode: GuardPolicy['mode'];
  /** Types found so far, with the number of distinct values. */
  readonly found = new Map<FindingType, number>();
  readonly #deps: GuardDeps;
  readonly #call: GuardedCall;
  readonly #policy: MaskPolicy;
  readonly #writers: KeyedWriters;
  readonly #tokens: TokenBook;
  readonly #counted = new Set<string>();
  readonly #spend = createTurnBudget();
  /** What the digests of all values of the call begin with; null until there is a value. */
  #key: string | null = null;
  #firstParam: string | null | undefined;

  constructor(deps: GuardDeps, mode: GuardPolicy['mode'], policy: MaskPolicy, call: GuardedCall) {
    this.mode = mode;
    this.#deps = deps;
    this.#call = call;
    this.#policy = policy;
    this.#tokens = new TokenBook((text) => this.#digest(text));
    this.#writers = {
      ...tenantWriters(deps.box, call.tenantId),
      token: (type, value) => this.#tokens.tokenOf(type, value),
    };
  }

  #digest(text: string): string {
    const { tenantId, conversation } = this.#call;
    this.#key ??= `${this.#deps.tenantKey(tenantId)}\0${conversation()}\0`;
    // Half the time of what makes a Buffer.
    return hash('sha256', this.#key + text, 'binary');
  }

  #note({ type }: Finding, value: string, { param = null, isNew = true }: TextPlace): void {
    this.#firstParam ??= param;
    const named = `${type} ${value}`;
    if (this.#counted.has(named)) return;
    this.#counted.add(named);
    this.found.set(type, (this.found.get(type) ?? 0) + 1);
    if (isNew) this.#deps.counts.add(this.#call.tenantId, this.#call.source, type);
  }

  /** Notes what was found in a text. Returns `result`. */
  #noted(findings: readonly Finding[], text: string, place: TextPlace, result: string): string | Promise<string> {
    const note = (finding: Finding) => this.#note(finding, text.slice(finding.start, finding.end), place);
    if (findings.length > VALUES_A_TURN) return eachInTurns(findings, note).then(() => result);
    for (const finding of findings) note(finding);
    return result;
  }

  #find(text: string, before: string): ReturnType<ValueFinder['find']> {
    return whenThere(this.#deps.search.find(before + text, this.#policy), (found) =>
      shiftFindings(found, before.length),
    );
  }

  #mask(text: string, place: TextPlace): string | Promise<string> {
    const { before = '' } = place;
    if (this.mode !== 'mask')
      return whenThere(this.#find(text, before), (found) => this.#noted(found, text, place, text));
    const find = (searched: string) => this.#find(searched, before);
    const findAgain = place.isPlain === true ? (masked: Masked) => findLeft(masked, find) : undefined;
    const masking = maskTextWith(find, text, this.#policy, this.#writers, findAgain);
    return whenThere(masking, (masked) => this.#noted(masked.findings, text, place, masked.text));
  }

  /**
   * Returns a text as the model may see it: with tokens in place of values (mask), or unchanged (report, refuse). Counts each value
   * once a call. At once where the text is short. Rejects with StudioError `unavailable` where the text cannot be searched.
   */
  mask(text: string, place: TextPlace = {}): string | Promise<string> {
    const turn = this.#spend((place.before?.length ?? 0) + text.length + UNITS_A_TEXT);
    if (text === '') return turn ? turn.then(() => text) : text;
    return turn ? turn.then(() => this.#mask(text, place)) : this.#mask(text, place);
  }

  /** Masks the texts of a chat request in the OpenAI form. Other fields stay unchanged. */
  maskChat<T extends ChatTexts>(request: T): Promise<T> {
    return maskChatTexts(request, (text, place) => this.mask(text, place));
  }

  /** Does the same to texts in the bytes of a request. */
  maskInPlace(bytes: Buffer, placed: PlacedChat): Promise<MaskedInPlace> {
    return maskInPlace(bytes, placed, (text, place) => this.mask(text, place), isFoundInWindows(this.#policy));
  }

  /** Whether any text was changed: the reply may then hold tokens. */
  get changed(): boolean {
    return this.#tokens.size > 0;
  }

  /** Values by token. */
  get values(): ReadonlyMap<string, string> {
    return this.#tokens.escaping();
  }

  /** Throws StudioError `unprocessable`, which names the types, where the policy refuses and something was found. */
  check(): void {
    if (this.mode !== 'refuse' || this.found.size === 0) return;
    const types = [...this.found.keys()].toSorted().join(', ');
    throw new StudioError(
      'unprocessable',
      `The request holds personal values (${types}), which the privacy policy does not let through to models; take them out or mask them`,
      { param: this.#firstParam ?? null, reason: 'personal_values', values: { types } },
    );
  }

  /** Restores the values in a text of the model; `json` where the text stands within a JSON string. */
  unmask(text: string, written: Escaping = 'plain'): string {
    const restorer = createRestorer(this.#tokens, written);
    return restorer.push(text) + restorer.end();
  }

  /** Restores the values in a streamed text. */
  unmaskStream(written?: Escaping): Restorer {
    return createRestorer(this.#tokens, written);
  }
}
