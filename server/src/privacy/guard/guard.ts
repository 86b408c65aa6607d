import { hash } from 'node:crypto';
import type { GuardPolicy, GuardSource } from '@ai-studio/contract/utilities/guard.ts';
import type { FindingType } from '@ai-studio/contract/utilities/privacy.ts';
import type { TenantId } from '../../kernel/context.ts';
import { StudioError } from '../../kernel/errors.ts';
import { hexId } from '../../kernel/ids.ts';
import type { SecretBox } from '../../kernel/secret-box.ts';
import type { FindPolicy } from '../find.ts';
import type { Finding } from '../finding.ts';
import { maskText, maskTextWith } from '../mask.ts';
import type { ValueFinder } from '../search/search.ts';
import { VALUES_A_TURN, createTurnBudget, eachInTurns } from '../../kernel/turns.ts';
import { tenantWriters } from '../vault/writers.ts';
import { type ChatTexts, type TextPlace, maskChatTexts } from './chat-text.ts';
import type { FoundCounts } from './counts.ts';
import { hideInError } from './hide-error.ts';
import { findPolicyOf } from './policy.ts';
import { type Restorer, TokenBook, type Escaping, createRestorer } from './tokens.ts';

export interface PrivacyGuardDeps {
  readonly box: SecretBox;
  readonly search: ValueFinder;
  readonly counts: Pick<FoundCounts, 'add'>;
}

/** The call that is guarded. */
export interface GuardedCall {
  readonly tenantId: TenantId;
  readonly source: GuardSource;
  /**
   * Calls of the same conversation write the same token for the same value; without one, tokens are unique to the call. Asked for once
   * there is a value.
   */
  readonly conversation?: () => string;
}

/** Guards the texts of one call, on their way to a model and back. */
export interface GuardedTexts {
  readonly mode: GuardPolicy['mode'];
  /** Types found so far, with the number of distinct values. */
  readonly found: ReadonlyMap<FindingType, number>;
  /**
   * Returns a text as the model may see it: with tokens in place of values (mask), or unchanged (report, refuse). Counts each value
   * once a call. Rejects with StudioError `unavailable` where the text cannot be searched.
   */
  mask(text: string, place?: TextPlace): Promise<string>;
  /** Masks the texts of a chat request in the OpenAI form. Other fields stay unchanged. */
  maskChat<T extends ChatTexts>(request: T): Promise<T>;
  /** Whether any text was changed: the reply may then hold tokens. */
  readonly changed: boolean;
  /** Values by token. */
  readonly values: ReadonlyMap<string, string>;
  /** Throws StudioError `unprocessable`, which names the types, where the policy refuses and something was found. */
  check(): void;
  /** Restores the values in a text of the model; `json` where the text stands within a JSON string. */
  unmask(text: string, written?: Escaping): string;
  /** Restores the values in a streamed text. */
  unmaskStream(written?: Escaping): Restorer;
}

/** The one guard of all calls of models. */
export interface PrivacyGuard {
  /** `policy`: the result of resolveGuard. */
  open(policy: GuardPolicy, call: GuardedCall): GuardedTexts;
  /** Masks a short text for logs and messages. */
  hide(policy: GuardPolicy, text: string): string;
  /** Masks the messages of an error. */
  hideInError(policy: GuardPolicy, error: unknown): unknown;
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
/** Fits a message; of a longer stack, only the beginning is kept. */
const MAX_HIDDEN_LENGTH = 10_000;

export function createPrivacyGuard({ box, search, counts }: PrivacyGuardDeps): PrivacyGuard {
  const hide: PrivacyGuard['hide'] = (policy, text) =>
    maskText(text.slice(0, MAX_HIDDEN_LENGTH), findPolicyOf(policy)).text;
  return {
    hide,
    hideInError: (policy, error) => hideInError(error, (text) => hide(policy, text)),
    open(policy, { tenantId, source, conversation = hexId }) {
      const findPolicy: FindPolicy = findPolicyOf(policy);
      // One key a call, as deriving one for each of many values would take long; none for a call without values.
      let key: string | undefined;
      const tokens = new TokenBook((text) => {
        key ??= box.mac(conversation(), `privacy guard ${tenantId}`).toString('hex');
        return hash('sha256', `${key} ${text}`, 'buffer');
      });
      const counted = new Set<string>();
      const found = new Map<FindingType, number>();
      let firstParam: string | null | undefined;
      const spend = createTurnBudget();

      function noteFinding({ type }: Finding, value: string, { param = null, isNew = true }: TextPlace): void {
        firstParam ??= param;
        if (counted.has(`${type} ${value}`)) return;
        counted.add(`${type} ${value}`);
        found.set(type, (found.get(type) ?? 0) + 1);
        if (isNew) counts.add(tenantId, source, type);
      }

      async function noteAll(findings: readonly Finding[], text: string, place: TextPlace): Promise<void> {
        const note = (finding: Finding) => noteFinding(finding, text.slice(finding.start, finding.end), place);
        if (findings.length > VALUES_A_TURN) await eachInTurns(findings, note);
        else for (const finding of findings) note(finding);
      }

      async function mask(text: string, place: TextPlace = {}): Promise<string> {
        const { before = '' } = place;
        await spend(before.length + text.length + UNITS_A_TEXT);
        if (text === '') return text;
        const find = async (finding: string) =>
          shiftFindings(await search.find(before + finding, findPolicy), before.length);
        if (policy.mode !== 'mask') {
          await noteAll(await find(text), text, place);
          return text;
        }
        const masked = await maskTextWith(
          find,
          text,
          { ...findPolicy, operator: 'replace' },
          { ...tenantWriters(box, tenantId), token: (type, value) => tokens.tokenOf(type, value) },
        );
        await noteAll(masked.findings, text, place);
        return masked.text;
      }

      return {
        mode: policy.mode,
        found,
        mask,
        maskChat: (request) => maskChatTexts(request, mask),
        get changed() {
          return tokens.size > 0;
        },
        get values() {
          return tokens.escaping();
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
          const restorer = createRestorer(tokens, written);
          return restorer.push(text) + restorer.end();
        },
        unmaskStream: (written) => createRestorer(tokens, written),
      };
    },
  };
}
