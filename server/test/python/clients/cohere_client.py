"""cohere: reranking."""

import cohere

from checks import BASE, KEY, check, main


@check
def rerank():
    """documents in the order of their scores"""
    client = cohere.ClientV2(api_key=KEY, base_url=BASE)
    found = client.rerank(model="ranker", query="휴가", documents=["a", "ccc", "bb"], top_n=2)
    assert [result.index for result in found.results] == [1, 2], found


main()
