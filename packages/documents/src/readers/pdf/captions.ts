/** What begins the caption of a table or picture. */
export const captionStart =
  /^[<[〈《【(]?\s*(?:(?:표|그림|사진|도표|도식|차트|별표)\s*\d+(?:[-.]\d+)*|(?:Table|Figure|Fig\.?|Chart|Listing|Exhibit)\s+(?:\d+|[IVX]+)(?:[-.]\d+)*)(?=[\s.:>\]〉》】)]|$)/i;

/** What stands below a table or picture: where it is from, and what is to be known of it. */
export const sourceStart = /^[*※<[(]?\s*(?:자\s?료|출\s?처|주\s?석|주|source|notes?)\s*\d?\s*[)\]:：]/i;
