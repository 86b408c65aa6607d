/** What a model is for. */
export type WeightsKind = 'chat' | 'embedding' | 'rerank';

/** A sentence for people in the languages of the console. */
export interface Words {
  readonly ko: string;
  readonly en: string;
}

/** Layers of a model that keep keys and values of each token. */
export interface KeyValueLayers {
  readonly layers: number;
  /** Heads of keys and values in each layer. */
  readonly heads: number;
  /** Numbers of a head. */
  readonly size: number;
}

/** What a model remembers of its context. Layers that keep nothing of each token are left out. */
interface Attention {
  /** Layers that see the whole context. */
  readonly full: KeyValueLayers;
  /** Layers that see the last `window` tokens. */
  readonly windowed?: KeyValueLayers & { readonly window: number };
}

/** A fact of a file that could not be looked up in a public source. */
export type UnverifiedFact = 'name' | 'revision' | 'size' | 'sha256';

/** A model that can be downloaded by its name. */
export interface CatalogueWeights {
  /** Short name for commands; the file keeps its own. */
  readonly id: string;
  /** Name of the product, the same in every language. */
  readonly title: string;
  /** What it is good for, in a sentence. */
  readonly about: Words;
  readonly kind: WeightsKind;
  /** Repository and file on the hub, or on a mirror with the hub's paths. */
  readonly repository: string;
  readonly file: string;
  readonly revision: string;
  /** Licence of the weights, by the name that their model card has. */
  readonly licence: string;
  /** What a person must know of the licence before the model is used; null for one that leaves all free. */
  readonly licenceNote: Words | null;
  /** Who made the file of the maker's weights; null where it was the maker. */
  readonly converter: string | null;
  /** So many bytes; about so many where the size is unverified. */
  readonly bytes: number;
  /** Memory when it is loaded with a context of 8,192 tokens, and of 32,768 (or all that it was made for). */
  readonly memoryBytes: number;
  readonly memory32kBytes: number;
  /** Share of the weights that each token passes; 1 where it is all of them. */
  readonly activeShare: number;
  /** SHA-256 of the file; null: the one that the hub itself gives (`X-Linked-Etag`). */
  readonly sha256: string | null;
  /** Which facts of the file could not be verified: it is downloaded only by who confirms that. Empty for one that is pinned wholly. */
  readonly unverified: readonly UnverifiedFact[];
  /** Family of the chat template. */
  readonly family: string;
  /** Tokens of prompt and reply together that it was made for. */
  readonly contextLength: number;
  readonly languages: readonly string[];
}

type Optional = Pick<CatalogueWeights, 'revision' | 'sha256' | 'licenceNote' | 'converter' | 'activeShare'>;
type Computed = 'memoryBytes' | 'memory32kBytes' | 'unverified';
/** What must be written down of a model. What is pinned has a revision, a SHA-256 and its exact size. */
export type Entry = Omit<CatalogueWeights, keyof Optional | Computed> &
  Partial<Optional> & {
    /** Memory is guessed from the size where it is left out. */
    readonly attention?: Attention;
    /** Whether the size is exact where there is no checksum. */
    readonly exactSize?: boolean;
    /** Whether the repository is known to have a file of this name; true when left out. */
    readonly knownName?: boolean;
  };
