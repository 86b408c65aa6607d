/** A node that is to be brought into sight; `times` tells one wish from the next. */
export interface Look {
  readonly node: string;
  readonly times: number;
}
