'use strict';

const axios = require('axios');

const base = process.env.LIBRARY_URL;

/** @param {number} bookId @param {number} stars */
async function rate(bookId, stars) {
  const { data } = await axios.post(`${base}/books/${bookId}/ratings`, { stars });
  return data;
}

/** @param {number} bookId */
async function average(bookId) {
  const { data } = await axios.get(`${base}/books/${bookId}/ratings`);
  return data.length ? data.reduce((sum, stars) => sum + stars, 0) / data.length : undefined;
}

module.exports = { rate, average };
