/** Where a part lies in the file, and how it is packed. */
export interface PackedPart {
  readonly name: string;
  /** Where its bytes begin; where the header of it begins, for one of the central directory. */
  readonly start: number;
  readonly packedSize: number;
  /** As the file says; it is not believed. */
  readonly size: number;
  readonly method: number;
  readonly encrypted: boolean;
  /** 0 where it is not known. */
  readonly crc: number;
}
