/** An exclusion: -word or -"words". Quotation marks are those of the API. */
const exclusion = /(?<=^|[\s"“”„])-(?:["“”„][^"“”„]*["“”„]?|(?=[^\s\->=*])[^\s"“”„]+)/gu;

/** Whether a search query has a word to find. One of only exclusions, empty quotation marks or punctuation finds nothing. */
export const hasSearchWords = (q: string): boolean => /[\p{L}\p{N}\p{M}]/u.test(q.replace(exclusion, ' '));
