import { api } from '../http/index.js';

const reservations = {
  /**
   * @param {string} member
   * @returns {Promise<import('../types.js').Reservation[]>}
   */
  async list(member) {
    const { data } = await api.get(`/reservations?member=${member}`);
    return data;
  },

  /** @param {number} bookId @param {string} memberId */
  async add(bookId, memberId) {
    const { data } = await api.post('/reservations', { bookId, memberId });
    return data;
  },

  /** @param {{ id: number }} reservation */
  async cancel(reservation) {
    await api.delete('/reservations/' + reservation.id);
  },
};

export default reservations;
