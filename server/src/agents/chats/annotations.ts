import type { Citation } from '@ai-studio/contract/agents/run.ts';
import type { UrlCitation } from '@ai-studio/contract/chat/annotations.ts';

/** `[1]`, `[2, 5]`, as runs number what they cite. */
const MARK = /\[(\d{1,5}(?:\s*[,，]\s*\d{1,5})*)\]/g;

/** The page of the console that shows a document at the passage. */
const citationUrl = (address: string, { collection_id, document_id, chunk_id, page }: Citation): string => {
  const place = new URLSearchParams({ ...(page === null ? {} : { page: String(page) }), chunk: chunk_id });
  return `${address}/console/collections/${collection_id}/documents/${document_id}?${place.toString()}`;
};

const titleOf = ({ document_name: name, page }: Citation) => (page === null ? name : `${name}, ${page}`);

/** The sources of an answer, one for each mark in it. `address`: of the service, as its people reach it. */
export function annotationsOf(text: string, citations: readonly Citation[], address: string): readonly UrlCitation[] {
  const known = new Map(citations.map((citation) => [citation.number, citation]));
  return [...text.matchAll(MARK)].flatMap(({ 0: mark, 1: list = '', index }) =>
    list.split(/[,，]/).flatMap((number): readonly UrlCitation[] => {
      const citation = known.get(Number(number));
      if (citation === undefined) return [];
      const place = { start_index: index, end_index: index + mark.length };
      const url_citation = { ...place, title: titleOf(citation), url: citationUrl(address, citation) };
      return [{ type: 'url_citation', url_citation }];
    }),
  );
}

/** What an answer cites, as lines at its end, each source once by its mark; empty where it cites nothing. */
export function sourcesText(
  citations: readonly Citation[],
  annotations: readonly UrlCitation[],
  address: string,
): string {
  const cited = new Set(annotations.map(({ url_citation: { url } }) => url));
  const lines = citations
    .map((citation) => ({ citation, url: citationUrl(address, citation) }))
    .filter(({ url }) => cited.has(url))
    .map(({ citation, url }) => `[${citation.number}] ${titleOf(citation)}: ${url}`);
  return lines.length === 0 ? '' : `\n\n${lines.join('\n')}`;
}
