import type { NativeBindings, NativeContext, NativeModel } from './native.ts';
import type { Vocabulary } from './tokens.ts';

interface TokenLogprob {
  readonly token: string;
  readonly logprob: number;
  readonly bytes: readonly number[];
}

/** One token of the `content` list. Source: OpenAI API reference, `logprobs`. */
export interface LogprobEntry extends TokenLogprob {
  readonly top_logprobs: readonly TokenLogprob[];
}

/** Measures how likely tokens were by the model itself, whatever the sampling did. */
export interface LogprobMeter {
  /** Of a token that was drawn from the logits at that place, with the `top` likeliest ones. */
  measure(context: NativeContext, logits: number, token: number): Promise<LogprobEntry>;
  close(): void;
}

/** What the format allows at least; a token that cannot be drawn has no finite value. */
const MIN_LOGPROB = -9_999;

export interface MeterOptions {
  readonly bindings: NativeBindings;
  readonly model: NativeModel;
  readonly vocabulary: Vocabulary;
  /** 0 to 20. */
  readonly top: number;
}

export function createLogprobMeter({ bindings, model, vocabulary, top }: MeterOptions): LogprobMeter {
  // Greedy and nothing else: the logits stay as the model gave them and the token selected is the likeliest.
  const greedy = new bindings.AddonSampler(model);
  greedy.applyConfig({ temperature: 0 });
  let closed = false;

  const describe = (token: number, logprob: number): TokenLogprob => {
    const bytes = vocabulary.bytesOf(token);
    return {
      token: bytes.toString('utf8'),
      logprob: Number.isFinite(logprob) ? logprob : MIN_LOGPROB,
      bytes: [...bytes],
    };
  };

  return {
    async measure(context, logits, token) {
      const [likeliest, , , values = [], weight = 1] = await context.sampleToken(
        logits,
        greedy,
        false,
        false,
        [[token], false, false, true, top],
        true,
      );
      const byToken = new Map<number, number>();
      for (let i = 0; i + 1 < values.length; i += 2) byToken.set(values[i] ?? -1, values[i + 1] ?? 0);
      // The weight is the sum of exp(logit − highest logit) over the vocabulary.
      const base = (byToken.get(likeliest) ?? 0) + Math.log(weight);
      const all = [...byToken].map(([id, logit]) => ({ id, logprob: Math.min(0, logit - base) }));
      const ranked = all.toSorted((a, b) => b.logprob - a.logprob).slice(0, top);
      const own = (byToken.get(token) ?? Number.NEGATIVE_INFINITY) - base;
      return {
        ...describe(token, Math.min(0, own)),
        top_logprobs: ranked.map(({ id, logprob }) => describe(id, logprob)),
      };
    },
    close() {
      if (closed) return;
      closed = true;
      greedy.dispose();
    },
  };
}
