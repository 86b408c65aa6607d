import { hash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { GuardPolicy, GuardSource } from '@ai-studio/contract/utilities/guard.ts';
import type { FindingType } from '@ai-studio/contract/utilities/privacy.ts';
import type { TenantId } from '../../kernel/context.ts';
import { StudioError } from '../../kernel/errors.ts';
import { hexId } from '../../kernel/ids.ts';
import type { SecretBox } from '../../kernel/secret-box.ts';
import type { FindPolicy } from '../find.ts';
import type { Finding } from '../finding.ts';
import { maskText, maskTextWith } from '../mask.ts';
import type { Search } from '../search/search.ts';
import { tenantWriters } from '../vault/writers.ts';
import { type Said, type TextPlace, maskSaid } from './chat-text.ts';
import type { FoundCounts } from './counts.ts';
import { hideInError } from './hide-error.ts';
import { findPolicyOf } from './policy.ts';
import { type Restorer, TokenBook, type Written, createRestorer } from './tokens.ts';

export interface PrivacyGuardDeps {
  readonly box: SecretBox;
  readonly search: Pick<Search, 'find'>;
  readonly counts: Pick<FoundCounts, 'add'>;
}

/** Whose call it is. */
export interface GuardedCall {
  readonly tenantId: TenantId;
  readonly source: GuardSource;
  /** Calls with the same mark write the same token for the same value; without one the call stands alone. */
  readonly conversation?: string;
}

/** Looks after the texts of one call, on their way to a model and back. */
export interface GuardedTexts {
  readonly mode: GuardPolicy['mode'];
  /** Types that were found so far, with the number of different values. */
  readonly found: ReadonlyMap<FindingType, number>;
  /**
   * A text as the model may see it: with tokens in place of values (mask), or as it is (report, refuse). Counts values
   * once a call. Rejects with StudioError `unavailable` where the text cannot be looked through.
   */
  mask(text: string, place?: TextPlace): Promise<string>;
  /** The texts of a chat request (the fields of the OpenAI form; others are left alone), masked. The rest is as it was. */
  maskChat<T extends Said>(request: T): Promise<T>;
  /** Whether any text was changed: then the answer has tokens. */
  readonly changed: boolean;
  /** Values by the tokens that were written in their place. */
  readonly values: ReadonlyMap<string, string>;
  /** Throws StudioError `unprocessable` that names the types, where the policy refuses and any was found. */
  check(): void;
  /** A text of the model with the values in place of their tokens; `json` where it stands within a JSON text. */
  unmask(text: string, written?: Written): string;
  /** The same for a text that comes in pieces. */
  unmaskStream(written?: Written): Restorer;
}

/** One guard for all that talks to models. */
export interface PrivacyGuard {
  /** `policy` as resolveGuard gives it. */
  open(policy: GuardPolicy, call: GuardedCall): GuardedTexts;
  /** A short text for logs and messages: values are written over. */
  hide(policy: GuardPolicy, text: string): string;
  /** A failure, for the same. */
  hideInError(policy: GuardPolicy, error: unknown): unknown;
}

/** Findings of a text that was looked through behind another: those that begin in it. */
const shifted = (found: readonly Finding[], by: number): Finding[] =>
  by === 0
    ? [...found]
    : found.flatMap((one) =>
        one.end <= by ? [] : [{ ...one, start: Math.max(0, one.start - by), end: one.end - by }],
      );

/** Units after which other requests have their turn: a few milliseconds. */
const UNITS_OF_TURN = 20_000;
/** Of a message; a stack may be longer. */
const MAX_WORDS_LENGTH = 10_000;

export function createPrivacyGuard({ box, search, counts }: PrivacyGuardDeps): PrivacyGuard {
  const hide: PrivacyGuard['hide'] = (policy, text) =>
    maskText(text.slice(0, MAX_WORDS_LENGTH), findPolicyOf(policy)).text;
  return {
    hide,
    hideInError: (policy, error) => hideInError(error, (text) => hide(policy, text)),
    open(policy, { tenantId, source, conversation = hexId() }) {
      const wanted: FindPolicy = findPolicyOf(policy);
      // One key for the call: marks of many values must not take long.
      const key = box.mac(conversation, `privacy guard ${tenantId}`).toString('hex');
      const book = new TokenBook((text) => hash('sha256', `${key} ${text}`, 'buffer'));
      const seen = new Set<string>();
      const found = new Map<FindingType, number>();
      let firstParam: string | null | undefined;
      let sinceTurn = 0;

      function note({ type }: Finding, value: string, { param = null, isNew = true }: TextPlace): void {
        firstParam ??= param;
        if (seen.has(`${type} ${value}`)) return;
        seen.add(`${type} ${value}`);
        found.set(type, (found.get(type) ?? 0) + 1);
        if (isNew) counts.add(tenantId, source, type);
      }

      async function mask(text: string, place: TextPlace = {}): Promise<string> {
        if (text === '') return text;
        sinceTurn += text.length;
        if (sinceTurn > UNITS_OF_TURN) {
          sinceTurn = text.length;
          await nextTurn();
        }
        const { before = '' } = place;
        const find = async (one: string) => shifted(await search.find(before + one, wanted), before.length);
        if (policy.mode !== 'mask') {
          for (const one of await find(text)) note(one, text.slice(one.start, one.end), place);
          return text;
        }
        const masked = await maskTextWith(
          find,
          text,
          { ...wanted, operator: 'replace' },
          { ...tenantWriters(box, tenantId), token: (type, value) => book.tokenOf(type, value) },
        );
        for (const one of masked.findings) note(one, text.slice(one.start, one.end), place);
        return masked.text;
      }

      return {
        mode: policy.mode,
        found,
        mask,
        maskChat: (request) => maskSaid(request, mask),
        get changed() {
          return book.size > 0;
        },
        get values() {
          return book.written();
        },
        check() {
          if (policy.mode !== 'refuse' || found.size === 0) return;
          const types = [...found.keys()].toSorted().join(', ');
          throw new StudioError(
            'unprocessable',
            `The request holds personal values (${types}), which the privacy policy does not let through to models; take them out or mask them`,
            { param: firstParam ?? null, reason: 'personal_values', values: { types } },
          );
        },
        unmask: (text, written = 'plain') => {
          const restorer = createRestorer(book, written);
          return restorer.push(text) + restorer.end();
        },
        unmaskStream: (written) => createRestorer(book, written),
      };
    },
  };
}
